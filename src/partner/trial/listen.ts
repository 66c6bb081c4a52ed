/** Receives receipts on this machine, verifies them with the TypeScript client and hands them on. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type Posted, verifyReceipt } from '../../../clients/typescript/src/client.ts';

export type Heard = { verified: true; receipt: Posted } | { verified: false; why: string };

interface ListenerOptions {
  port: number;
  /** Of the client: `whsec_…`. */
  signingSecret: string;
  onHeard: (heard: Heard) => void;
}

/** Responds to a verified receipt with 204, to others with 400. */
export async function startListener({ port, signingSecret, onHeard }: ListenerOptions) {
  const hear = async (request: IncomingMessage): Promise<Heard> => {
    try {
      const receipt = await verifyReceipt(await buffer(request), request.headers, signingSecret);
      return { verified: true, receipt };
    } catch (error) {
      return { verified: false, why: (error as Error).message };
    }
  };
  const server = createServer(async (request, response) => {
    const heard = await hear(request);
    response.writeHead(heard.verified ? 204 : 400).end();
    onHeard(heard);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
