/** Forwards calls to another port of this machine, for fronts that stand before a service. */
import { randomUUID } from 'node:crypto';
import {
  type Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestOver,
  type ServerResponse,
} from 'node:http';
import { type Address, bind } from '../../bind.ts';
import type { Rejection } from '../../errors.ts';
import { bodyOf, namingHeaders } from '../errors.ts';

/** A response that has been read to its end. */
export interface ReadResponse {
  status: number;
  headers: IncomingHttpHeaders | Record<string, string>;
  body: Buffer;
}

export interface ListeningFront {
  port: number;
  close: () => Promise<void>;
}

/** Listens until it is closed. Where `serve` rejects, the caller sees a cut connection. */
export async function listenAsFront(
  serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  address: Address,
): Promise<ListeningFront> {
  const server = createServer((request, response) => {
    // Either side may be gone before the response is.
    serve(request, response).catch(() => request.socket.destroy());
  });
  const port = await bind(server, address);
  return {
    port,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Makes the same call to a port of this machine, and reads its response. */
export function forward(
  agent: Agent,
  port: number,
  incoming: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  body: Buffer,
): Promise<ReadResponse> {
  const { method, url } = incoming;
  const { 'transfer-encoding': _chunked, expect: _continue, ...headers } = incoming.headers;
  return new Promise((resolve, reject) => {
    const outgoing = requestOver(
      {
        agent,
        host: '127.0.0.1',
        port,
        method,
        path: url,
        headers: body.length === 0 ? headers : { ...headers, 'content-length': body.length },
      },
      (response) => {
        readAll(response).then(
          (read) => resolve({ status: response.statusCode ?? 502, headers: response.headers, body: read }),
          reject,
        );
      },
    );
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

/** Sends a response that was read elsewhere. */
export function write(response: ServerResponse, { status, headers, body }: ReadResponse): void {
  const { connection: _hop, 'transfer-encoding': _chunked, 'keep-alive': _idle, ...own } = headers;
  response.writeHead(status, { ...own, 'content-length': body.length });
  response.end(body);
}

/** A rejection as the service sends it. */
export function rejectionResponse(rejection: Rejection, operation: string): ReadResponse {
  return {
    status: rejection.status,
    headers: {
      ...rejection.headers,
      ...namingHeaders(rejection),
      'content-type': 'application/json',
      'x-request-id': randomUUID(),
    },
    body: Buffer.from(JSON.stringify(bodyOf(rejection, operation))),
  };
}

export async function readAll(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
