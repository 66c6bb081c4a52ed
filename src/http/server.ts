/** An HTTP server with a contract, public or for management: the whole way of a request on one screen. */
import { setTimeout as delay } from 'node:timers/promises';
import type Router from '@koa/router';
import Koa from 'koa';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Events } from '../model/events.ts';
import type { Stopwatch } from '../platform/clock.ts';
import { errors } from '../platform/errors.ts';
import { logAccess } from './access-log.ts';
import { type Admission, createAdmission } from './admission.ts';
import { lingerOnUnreadBody } from './body/unread-body.ts';
import type { Listener } from './connections/listener.ts';
import type { Contract } from './contract/contract.ts';
import { refuseOtherMethods } from './contract/other-methods.ts';
import { renderErrors } from './errors.ts';
import type { Guard } from './guard.ts';
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
  /** Served beside the contract: health, keys, and the documentation. */
  pages: readonly Router[];
  /** The documentation's response to browsers that ask for what is not there. */
  showNotFound?: Koa.Middleware;
  /** Serves the pages below a path of its own, and passes on what is not there. */
  console?: Koa.Middleware;
  /** Where networks call us, if they do. */
  inbound?: Router;
  contract: Contract;
  /** The path that the paths of the contract are below, such as `/management`. */
  basePath?: string;
  /** Whether any client lists a web origin; undefined: pages of other origins may not call this server. */
  listsWebOrigin?: (origin: string) => Promise<boolean>;
  /** How many requests may be in progress; undefined: as many as for any server. */
  admission?: Admission;
  /** Rejects when a request has waited too long for the database. Absent: requests wait without a limit. */
  limitWaits?: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Called with each request that may change something. */
  onChange?: () => void;
}

export interface HttpServer {
  /** Keeps serving for `drainMs`; then accepts no connections, asks clients to leave, and ends within `graceMs`. */
  stop: (limits: { drainMs: number; graceMs: number }) => Promise<void>;
}

/** Serves on a listener, which must not serve yet. */
export function startServer(dependencies: ServerDependencies, listener: Listener): HttpServer {
  const { logger, clock, registry, events, trustedProxyHops, guard } = dependencies;
  const { admission = createAdmission(clock), onChange, showNotFound, limitWaits } = dependencies;
  const render = renderErrors(logger, events);
  const shedding = createLoadShedding({ admission, stopwatch: clock, events, render });

  const app = new Koa();
  app.silent = true;
  app.use(requestId);
  app.use(lingerOnUnreadBody);
  app.use(shedding.refuseRest);
  app.use(noteOrigin(trustedProxyHops));
  app.use(logAccess(logger, registry));
  app.use(guard.count);
  app.use((ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') onChange?.();
    return next();
  });
  if (showNotFound !== undefined) app.use(showNotFound);
  app.use(render);
  if (limitWaits !== undefined) app.use((_ctx, next) => limitWaits(next));
  for (const middleware of routesOf(dependencies)) app.use(middleware);

  listener.serve(shedding.before(app.callback()));
  return {
    stop: async ({ drainMs, graceMs }) => {
      await delay(drainMs);
      // Most connections of a proxy are used within that time, and so end with a response instead of a race.
      await listener.close({ idleMs: Math.min(drainMs, graceMs / 2), graceMs });
    },
  };
}

function routesOf(dependencies: ServerDependencies): Koa.Middleware[] {
  const { pages, console, inbound, contract, basePath = '', listsWebOrigin } = dependencies;
  const read = pages.map((router): Koa.Middleware => {
    const routes = router.routes() as unknown as Koa.Middleware;
    // All of them are read; the operations of the contract, which are many, need not ask the router.
    return (ctx, next) => (ctx.method === 'GET' || ctx.method === 'HEAD' ? routes(ctx, next) : next());
  });
  const routers = inbound === undefined ? pages : [...pages, inbound];
  const networkCalls = inbound?.routes() as unknown as Koa.Middleware | undefined;
  return [
    ...read,
    ...(console === undefined ? [] : [console]),
    ...(networkCalls === undefined ? [] : [below(inboundPath, networkCalls)]),
    refuseOtherMethods(routers),
    ...(listsWebOrigin === undefined
      ? []
      : [allowWebOrigins({ isListed: listsWebOrigin, methodsAt: contract.methodsAt })]),
    withoutBasePath(basePath),
    contract.serve,
  ];
}

function below(path: string, routes: Koa.Middleware): Koa.Middleware {
  return (ctx, next) => (ctx.path.startsWith(path) ? routes(ctx, next) : next());
}

/** A path that is not below the base path is unknown. */
function withoutBasePath(basePath: string): Koa.Middleware {
  return (ctx, next) => {
    if (basePath !== '' && !ctx.path.startsWith(`${basePath}/`)) throw errors.noRoute();
    ctx.path = ctx.path.slice(basePath.length);
    ctx.state.basePath = basePath;
    return next();
  };
}
