/** Writes one log line and one measurement per request: caller, operation, status and duration, never the content. */
import type Koa from 'koa';
import type { Logger } from 'pino';
import { Histogram, type Registry } from 'prom-client';
import type { RequestState } from './request-state.ts';

export function logAccess(logger: Logger, registry: Registry): Koa.Middleware {
  const duration = durationIn(registry);
  return async (ctx, next) => {
    const startedMs = performance.now();
    await next();
    const ms = performance.now() - startedMs;
    const { operationId, caller, origin, refusal, acceptedId } = ctx.state as RequestState;
    const unauthorized = ctx.status === 401 || ctx.status === 403;
    duration.observe({ operation: operationId ?? 'none', status: String(ctx.status) }, ms / 1000);
    logger.info(
      {
        requestId: ctx.state.requestId,
        acceptedId,
        method: ctx.method,
        operation: operationId,
        status: ctx.status,
        ms: Math.round(ms * 10) / 10,
        clientId: caller?.clientId,
        userId: caller?.userId,
        teamId: caller?.teamId,
        error: refusal?.slug,
        reason: refusal?.reason,
        address: unauthorized ? origin.peer : undefined,
      },
      'request',
    );
  };
}

const durationName = 'tarishi_http_request_seconds';

/** The servers of a process share it. */
function durationIn(registry: Registry): Histogram {
  const known = registry.getSingleMetric(durationName);
  if (known !== undefined) return known as Histogram;
  return new Histogram({
    name: durationName,
    help: 'Duration of HTTP requests',
    labelNames: ['operation', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
}
