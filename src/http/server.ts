/** The HTTP server: the whole way of a request on one screen, limits on connections, an orderly end. */
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type Router from '@koa/router';
import Koa from 'koa';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Events } from '../events.ts';
import { logAccess } from './access-log.ts';
import { renderErrors } from './errors.ts';
import { inboundPath } from './inbound-routes.ts';
import { refuseOtherMethods } from './other-methods.ts';
import { requestId } from './request-id.ts';

export interface ServerDependencies {
  logger: Logger;
  registry: Registry;
  events: Events;
  /** What is read beside the contract: for operators, and the documentation. */
  pages: readonly Router[];
  /** Where networks call us. */
  inbound: Router;
  contract: Koa.Middleware;
}

export interface HttpServer {
  port: number;
  /**
   * Answers for `drainMs` more, each time asking the client to leave; then takes no new connections, answers
   * what was read, and ends within `graceMs`.
   */
  stop: (limits: { drainMs: number; graceMs: number }) => Promise<void>;
}

export async function startServer(
  dependencies: ServerDependencies,
  address: { port: number; host: string },
): Promise<HttpServer> {
  const { logger, registry, events, pages, inbound, contract } = dependencies;
  let stopping = false;

  const app = new Koa();
  app.silent = true;
  app.use(requestId);
  app.use(logAccess(logger, registry));
  app.use(async (ctx, next) => {
    if (stopping) ctx.set('Connection', 'close');
    await next();
  });
  app.use(renderErrors(logger, events));
  for (const router of pages) {
    const routes = router.routes() as unknown as Koa.Middleware;
    // All of them are read; the operations of the contract, which are many, need not ask the router.
    app.use((ctx, next) => (ctx.method === 'GET' || ctx.method === 'HEAD' ? routes(ctx, next) : next()));
  }
  const networkCalls = inbound.routes() as unknown as Koa.Middleware;
  app.use((ctx, next) => (ctx.path.startsWith(inboundPath) ? networkCalls(ctx, next) : next()));
  app.use(refuseOtherMethods([...pages, inbound]));
  app.use(contract);

  const answer = app.callback();
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 10_000,
      requestTimeout: 60_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 1_000,
      // Refused below: Node's own refusal has no body.
      requireHostHeader: false,
    },
    (request, response) => {
      // RFC 9112, 3.2
      if (request.headers.host === undefined && request.httpVersion === '1.1')
        refuseByHand(request.socket, badRequest);
      else answer(request, response);
    },
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    refuseByHand(socket, statusOfParserError[error.code ?? ''] ?? badRequest),
  );
  server.on('connect', (_request, socket) => refuseByHand(socket, badRequest));
  // Node's 417 has no body; RFC 9110, 10.1.1 leaves us free to overlook what we do not know.
  server.on('checkExpectation', answer);
  await listen(server, address);

  return {
    port: (server.address() as AddressInfo).port,
    stop: async ({ drainMs, graceMs }) => {
      stopping = true;
      await delay(drainMs);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Idle connections of keep-alive clients would hold the server open.
      const sweep = setInterval(() => server.closeIdleConnections(), 50);
      const force = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearInterval(sweep);
      clearTimeout(force);
    },
  };
}

function listen(server: Server, { port, host }: { port: number; host: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

const badRequest = '400 Bad Request';
const statusOfParserError: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** What is no HTTP for us never reaches Koa: the answer is written by hand, in the form of the contract. */
function refuseByHand(socket: Duplex, status: string): void {
  if (!socket.writable) return;
  const body = JSON.stringify({ desc: `The request is not valid HTTP: ${status.slice(4)}.` });
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nX-Request-Id: ${randomUUID()}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
