/** The public HTTP server: the whole way of a request on one screen. */
import { setTimeout as delay } from 'node:timers/promises';
import type Router from '@koa/router';
import Koa from 'koa';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Stopwatch } from '../clock.ts';
import type { Events } from '../events.ts';
import { logAccess } from './access-log.ts';
import { createAdmission, watchAdmission } from './admission.ts';
import { lingerOnUnreadBody } from './body/unread-body.ts';
import { connectionLimit } from './bounds.ts';
import type { Contract } from './contract/contract.ts';
import { refuseOtherMethods } from './contract/other-methods.ts';
import { renderErrors } from './errors.ts';
import type { Guard } from './guard.ts';
import { listen } from './listener.ts';
import { createLoadShedding } from './load-shedding.ts';
import { noteOrigin } from './origin.ts';
import { requestId } from './request-id.ts';
import { inboundPath } from './routes/inbound-routes.ts';
import { allowWebOrigins } from './web-origins.ts';

export interface ServerDependencies {
  logger: Logger;
  clock: Stopwatch;
  registry: Registry;
  events: Events;
  trustedProxyHops: number;
  guard: Guard;
  /** What is read beside the contract: health, keys, and the documentation. */
  pages: readonly Router[];
  /** Where networks call us, if they do. */
  inbound?: Router;
  contract: Contract;
  /** Whether any client lists a web origin. */
  listsWebOrigin: (origin: string) => Promise<boolean>;
}

export interface HttpServer {
  port: number;
  /** Keeps responding for `drainMs`, asking each client to leave, and then ends within `graceMs`. */
  stop: (limits: { drainMs: number; graceMs: number }) => Promise<void>;
}

export async function startServer(
  dependencies: ServerDependencies,
  address: { port: number; host: string },
): Promise<HttpServer> {
  const {
    logger,
    clock,
    registry,
    events,
    trustedProxyHops,
    guard,
    pages,
    inbound,
    contract,
    listsWebOrigin,
  } = dependencies;
  let stopping = false;
  const render = renderErrors(logger, events);
  const admission = createAdmission(clock);
  watchAdmission(registry, admission);
  const shedding = createLoadShedding({ admission, stopwatch: clock, events, render });

  const app = new Koa();
  app.silent = true;
  app.use(requestId);
  app.use(async (ctx, next) => {
    if (stopping) ctx.set('Connection', 'close');
    await next();
  });
  app.use(lingerOnUnreadBody);
  app.use(shedding.refuseRest);
  app.use(noteOrigin(trustedProxyHops));
  app.use(logAccess(logger, registry));
  app.use(guard.count);
  app.use(render);
  for (const router of pages) {
    const routes = router.routes() as unknown as Koa.Middleware;
    // All of them are read; the operations of the contract, which are many, need not ask the router.
    app.use((ctx, next) => (ctx.method === 'GET' || ctx.method === 'HEAD' ? routes(ctx, next) : next()));
  }
  if (inbound !== undefined) {
    const networkCalls = inbound.routes() as unknown as Koa.Middleware;
    app.use((ctx, next) => (ctx.path.startsWith(inboundPath) ? networkCalls(ctx, next) : next()));
  }
  app.use(refuseOtherMethods([...pages, ...(inbound === undefined ? [] : [inbound])]));
  app.use(allowWebOrigins({ isListed: listsWebOrigin, methodsAt: contract.methodsAt }));
  app.use(contract.serve);

  const listener = await listen(shedding.before(app.callback()), { ...address, connectionLimit });
  return {
    port: listener.port,
    stop: async ({ drainMs, graceMs }) => {
      stopping = true;
      await delay(drainMs);
      await listener.close(graceMs);
    },
  };
}
