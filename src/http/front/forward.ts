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
import { type Address, bind } from '../../platform/bind.ts';
import { Rejection } from '../../platform/errors.ts';
import { readBytes } from '../body/body.ts';
import { createBodyBudget } from '../body/body-budget.ts';
import { bodiesShare, jsonBodiesLimitBytes, jsonBodyLimitBytes } from '../bounds.ts';
import { bodyOf, namingHeaders } from '../errors.ts';
import { createHostCheck } from './own-hosts.ts';

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

/**
 * Listens until it is closed. `serve` gets calls to hosts of its own, with bodies that the service would read; where it
 * rejects, the caller sees a cut connection.
 */
export async function listenAsFront(
  serve: (request: IncomingMessage, response: ServerResponse, body: Buffer) => Promise<void>,
  address: Address,
): Promise<ListeningFront> {
  const wrongHost = createHostCheck(address.host);
  const budget = createBodyBudget(jsonBodiesLimitBytes, bodiesShare);
  const call = async (req: IncomingMessage, res: ServerResponse) => {
    const refusal = wrongHost(req.headersDistinct.host ?? []);
    if (refusal !== undefined) return write(res, misdirected(refusal));
    let body: Buffer;
    try {
      body = await readBytes({ req, res, state: {} }, jsonBodyLimitBytes, budget, 'all callers');
    } catch (error) {
      if (error instanceof Rejection) return write(res, rejectionResponse(error, ''));
      throw error;
    }
    await serve(req, res, body);
  };
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    // Either side may be gone before the response is.
    call(request, response).catch(() => request.socket.destroy());
  };
  const server = createServer({ requireHostHeader: false }, handle).on('checkContinue', handle);
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

const misdirected = (desc: string): ReadResponse => ({
  status: 421,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ desc })),
});

async function readAll(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
