/** Serves a document to fronts and tests on this machine: without credentials of its own, limits or metrics. */
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import type { ContractDocument } from '../../contract/document.ts';
import type { Events } from '../../model/events.ts';
import type { Clock, Stopwatch } from '../../platform/clock.ts';
import { connectionLimit } from '../bounds.ts';
import { listen } from '../connections/listener.ts';
import { createContract } from '../contract/contract.ts';
import type { DocumentTypes, Handlers } from '../contract/operation.ts';
import { type HttpServer, startServer } from '../server.ts';

export interface OpenServer<D extends DocumentTypes> {
  document: ContractDocument;
  handlers: Handlers<D>;
  /** The caller of the operations that need one. Throws a Rejection. */
  callerOf: (authorization: string | undefined) => D['caller'];
  /** How many responses are checked against the document: 1 all. */
  checkedResponses: number;
  clock: Clock & Stopwatch;
  logger: Logger;
  events: Events;
}

export interface ListeningServer extends HttpServer {
  port: number;
}

export async function startOpenServer<D extends DocumentTypes>({
  document,
  handlers,
  callerOf,
  checkedResponses,
  clock,
  logger,
  events,
}: OpenServer<D>): Promise<ListeningServer> {
  const guard = { admitLogin: () => {}, admitBody: () => {} };
  const contract = await createContract<D>({
    document,
    handlers,
    authenticate: async ({ authorization }) => callerOf(authorization),
    guard,
    checkedResponses,
    onUndocumented: (operationId, fault) => {
      throw new Error(`${operationId} has a response that its document does not have: ${fault}`);
    },
  });
  const listener = await listen({ host: '127.0.0.1', port: 0, connectionLimit });
  const server = startServer(
    {
      clock,
      logger,
      registry: new Registry(),
      events,
      trustedProxyHops: 0,
      guard: { ...guard, count: (_ctx: unknown, next: () => Promise<unknown>) => next() },
      pages: [],
      contract,
    },
    listener,
  );
  return { ...server, port: listener.port };
}
