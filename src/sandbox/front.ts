/** The address of a sandbox: passes calls on to the service, records them, and injects the faults that tests ask for. */
import { randomUUID } from 'node:crypto';
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestOver,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { components } from '../../generated/sandbox.d.ts';
import { systemClock } from '../clock.ts';
import { errors, type Rejection } from '../errors.ts';
import { bodyOf } from '../http/errors.ts';
import type { CallFaultKind, Fault, Faults } from './faults.ts';
import type { Recording } from './recording.ts';
import { secondsOf } from './time/duration.ts';

export type ReceivedRequest = components['schemas']['ReceivedRequest'];

export interface FrontDependencies {
  faults: Pick<Faults, 'ofCall'>;
  received: Recording<ReceivedRequest>;
  /** The operationId of a call; undefined where the document has none. */
  operationOf: (method: string, path: string) => string | undefined;
}

/** Ports of this machine. */
export interface Targets {
  service: number;
  control: number;
}

export interface Front {
  port: number;
  /** Calls wait until then. */
  passTo: (targets: Targets) => void;
  close: () => Promise<void>;
}

interface Response {
  status: number;
  headers: IncomingHttpHeaders | Record<string, string>;
  body: Buffer;
}

export async function startFront(
  { faults, received, operationOf }: FrontDependencies,
  address: { port: number; host: string },
): Promise<Front> {
  const agent = new Agent({ keepAlive: true });
  let passTo: (targets: Targets) => void = () => {};
  const targets = new Promise<Targets>((resolve) => {
    passTo = resolve;
  });

  const call = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url = '/' } = request;
    const body = await readAll(request);
    const { service, control } = await targets;
    const pass = (port: number) => exchange(agent, port, request, body);
    if (isControl(url)) {
      // Clients encode the plus of a phone number; the contract layer takes paths as they are written.
      request.url = url.replaceAll(/%2b/gi, '+');
      return write(response, await pass(control));
    }
    const operation = operationOf(method, url.split('?', 1)[0] ?? '');
    const fault = faults.ofCall(operation);
    const entry: ReceivedRequest = {
      at: new Date(systemClock.now()).toISOString(),
      method,
      path: url,
      ...(operation === undefined ? {} : { operation }),
      headers: flat(request.headers),
      ...(body.length === 0 ? {} : { body: body.toString() }),
      ...(fault === undefined ? {} : { fault: fault.kind }),
    };
    received.add(entry);
    const outcome = await outcomes[fault?.kind ?? 'none'](() => pass(service), fault, operation ?? '');
    if (outcome === 'cut') {
      request.socket.destroy();
      return;
    }
    entry.status = outcome.status;
    entry.responseBody = outcome.body.toString();
    write(response, outcome);
  };

  const server = createServer((request, response) => {
    // Either side may be gone before the response is; a caller who is still there sees a cut connection.
    call(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    passTo,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      agent.destroy();
      await closed;
    },
  };
}

const isControl = (url: string) => /^\/sandbox(?:[/?]|$)/.test(url);

type Outcome = Response | 'cut';

const outcomes: {
  [F in CallFaultKind | 'none']: (
    pass: () => Promise<Response>,
    fault: Fault | undefined,
    operation: string,
  ) => Promise<Outcome>;
} = {
  none: (pass) => pass(),
  lostResponse: async (pass) => {
    await pass();
    return 'cut';
  },
  cutConnection: async () => 'cut',
  tooManyRequests: async (_pass, fault, operation) =>
    refusal(errors.tooManyRejectedRequests(fault?.retryAfterSeconds ?? 1), operation),
  serverError: async (_pass, _fault, operation) => refusal(errors.internal(randomUUID()), operation),
  expiredToken: async (_pass, _fault, operation) => refusal(errors.invalidToken(), operation),
  slowResponse: async (pass, fault) => {
    const response = await pass();
    await delay(Math.min(secondsOf(fault?.delay ?? 'PT2S'), 60) * 1_000);
    return response;
  },
};

/** As the service renders it. */
function refusal(rejection: Rejection, operation: string): Response {
  return {
    status: rejection.status,
    headers: {
      ...rejection.headers,
      'content-type': 'application/json',
      'x-request-id': randomUUID(),
    },
    body: Buffer.from(JSON.stringify(bodyOf(rejection, operation))),
  };
}

function exchange(agent: Agent, port: number, incoming: IncomingMessage, body: Buffer): Promise<Response> {
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

function write(response: ServerResponse, { status, headers, body }: Response): void {
  const { connection: _hop, 'transfer-encoding': _chunked, 'keep-alive': _idle, ...own } = headers;
  response.writeHead(status, { ...own, 'content-length': body.length });
  response.end(body);
}

async function readAll(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function flat(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
