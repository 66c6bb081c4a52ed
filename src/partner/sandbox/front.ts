/** The address of a sandbox: passes calls on to the service, records them, and injects the faults that tests ask for. */
import { randomUUID } from 'node:crypto';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { components } from '../../../generated/sandbox.d.ts';
import type { createOperationFinder } from '../../contract/routes.ts';
import {
  forward,
  listenAsFront,
  type ReadResponse,
  rejectionResponse,
  write,
} from '../../http/front/forward.ts';
import { isFromOtherPage } from '../../http/front/other-pages.ts';
import type { Address } from '../../platform/bind.ts';
import { systemClock } from '../../platform/clock.ts';
import { errors, Rejection } from '../../platform/errors.ts';
import type { MakeWhatIsNamed } from './any-id/repository.ts';
import type { CallFaultKind, Fault, Faults } from './faults.ts';
import type { PreferredResponse } from './prefer.ts';
import type { Recording } from './recording.ts';
import { secondsOf } from './time/duration.ts';

export type ReceivedRequest = components['schemas']['ReceivedRequest'];

export interface FrontDependencies {
  faults: Pick<Faults, 'ofCall'>;
  received: Recording<ReceivedRequest>;
  /** The operation of a call; undefined where the document has none. */
  operationAt: ReturnType<typeof createOperationFinder>;
  preferredResponse: PreferredResponse;
  /** Called before a call of an operation reaches the service. */
  makeWhatIsNamed: MakeWhatIsNamed;
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

export async function startFront(
  { faults, received, operationAt, preferredResponse, makeWhatIsNamed }: FrontDependencies,
  address: Address,
): Promise<Front> {
  const agent = new Agent({ keepAlive: true });
  let passTo: (targets: Targets) => void = () => {};
  const targets = new Promise<Targets>((resolve) => {
    passTo = resolve;
  });

  const responseWanted = (operation: string | undefined, prefer: string | undefined) => {
    if (operation === undefined || prefer === undefined) return undefined;
    try {
      return preferredResponse(operation, prefer);
    } catch (error) {
      if (error instanceof Rejection) return rejectionResponse(error, operation);
      throw error;
    }
  };

  const call = async (request: IncomingMessage, response: ServerResponse, body: Buffer) => {
    const { method = 'GET', url = '/' } = request;
    const { service, control } = await targets;
    const pass = (port: number) => forward(agent, port, request, body);
    if (isControl(url)) {
      if (isFromOtherPage(request.headers)) return write(response, ofOtherPage);
      // Clients encode the plus of a phone number; the contract layer takes paths as they are written.
      request.url = url.replaceAll(/%2b/gi, '+');
      return write(response, await pass(control));
    }
    const operation = operationAt(method, url.split('?', 1)[0] ?? '')?.operationId;
    const headers = flat(request.headers);
    const fault = faults.ofCall({
      operation,
      path: url,
      idempotencyKey: headers['idempotency-key'],
      body: body.toString(),
    });
    const entry: ReceivedRequest = {
      at: new Date(systemClock.now()).toISOString(),
      method,
      path: url,
      ...(operation === undefined ? {} : { operation }),
      headers,
      ...(body.length === 0 ? {} : { body: body.toString() }),
      ...(fault === undefined ? {} : { fault: fault.kind }),
    };
    received.add(entry);
    const wanted = responseWanted(operation, headers.prefer);
    const respond = async () => {
      if (wanted !== undefined) return wanted;
      if (operation !== undefined) await makeWhatIsNamed(operation, url, body.toString());
      return pass(service);
    };
    const outcome = await outcomes[fault?.kind ?? 'none'](respond, fault, operation ?? '');
    if (outcome === 'cut') {
      request.socket.destroy();
      return;
    }
    entry.status = outcome.status;
    entry.responseBody = outcome.body.toString();
    write(response, outcome);
  };

  const listening = await listenAsFront(call, address);
  return {
    port: listening.port,
    passTo,
    close: async () => {
      await listening.close();
      agent.destroy();
    },
  };
}

const ofOtherPage: ReadResponse = {
  status: 403,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ desc: 'A web page of another address cannot control the sandbox.' })),
};

const isControl = (url: string) => /^\/sandbox(?:[/?]|$)/.test(url);

type Outcome = ReadResponse | 'cut';

const outcomes: {
  [F in CallFaultKind | 'none']: (
    pass: () => Promise<ReadResponse>,
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
    rejectionResponse(errors.tooManyRejectedRequests(fault?.retryAfterSeconds ?? 1), operation),
  serverError: async (_pass, _fault, operation) =>
    rejectionResponse(errors.internal(randomUUID()), operation),
  badGateway: async () => ({
    status: 502,
    headers: { 'content-type': 'text/html' },
    body: Buffer.from('<html><body><h1>502 Bad Gateway</h1></body></html>'),
  }),
  badRequest: async (_pass, _fault, operation) =>
    rejectionResponse(
      errors.schemaViolation('The sandbox rejects this request, as a test asked.'),
      operation,
    ),
  conflict: async (_pass, _fault, operation) => rejectionResponse(errors.keyInUse(), operation),
  keyReused: async (_pass, _fault, operation) => rejectionResponse(errors.keyReused(), operation),
  expiredToken: async (_pass, _fault, operation) => rejectionResponse(errors.invalidToken(), operation),
  unknownResponseField: async (pass) => extended(await pass()),
  slowResponse: async (pass, fault) => {
    const response = await pass();
    await delay(Math.min(secondsOf(fault?.delay ?? 'PT2S'), 60) * 1_000);
    return response;
  },
};

/** With an unknown property in every object. */
function extended({ status, headers, body }: ReadResponse): ReadResponse {
  const extend = (key: string, value: unknown) =>
    isObject(value) && key !== 'units' && key !== 'addresses' ? { ...value, sandboxField: 'unknown' } : value;
  return { status, headers, body: Buffer.from(JSON.stringify(JSON.parse(body.toString(), extend))) };
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function flat(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
