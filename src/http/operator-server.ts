/** The HTTP server for those who run the service: health, readiness and metrics, in every process. */
import Router from '@koa/router';
import Koa from 'koa';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Events } from '../model/events.ts';
import { errors } from '../platform/errors.ts';
import type { Listener } from './connections/listener.ts';
import { refuseOtherMethods } from './contract/other-methods.ts';
import { renderErrors } from './errors.ts';
import type { Readiness } from './readiness.ts';
import { requestId } from './request-id.ts';
import { createHealthRoutes } from './routes/health-routes.ts';

export interface OperatorDependencies {
  logger: Logger;
  registry: Registry;
  events: Events;
  readiness: Readiness;
}

export function startOperatorServer(
  { logger, registry, events, readiness }: OperatorDependencies,
  listener: Listener,
): void {
  const metrics = new Router();
  metrics.get('/metrics', async (ctx) => {
    ctx.type = registry.contentType;
    ctx.body = await registry.metrics();
  });

  const app = new Koa();
  app.silent = true;
  app.use(requestId);
  app.use(renderErrors(logger, events));
  const routers = [createHealthRoutes(readiness), metrics];
  app.use(refuseOtherMethods(routers));
  for (const router of routers) app.use(router.routes() as unknown as Koa.Middleware);
  app.use(() => {
    throw errors.noRoute();
  });
  listener.serve(app.callback());
}
