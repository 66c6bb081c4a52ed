/** Traces the calls of clients and operators: each is a span below that of the caller, if it sent a `traceparent`. */
import type Koa from 'koa';
import { isDatabaseAway } from '../platform/errors/database-away.ts';
import { errors, Rejection } from '../platform/errors.ts';
import { fail, type Span, startServerSpan, traceOf, within } from '../platform/tracing.ts';
import type { RequestState } from './request-state.ts';

export function traced(serve: Koa.Middleware): Koa.Middleware {
  return (ctx, next) => {
    const span = startServerSpan(ctx.get('traceparent'), ctx.get('tracestate'));
    if (span === undefined) return serve(ctx, next);
    ctx.state.trace = traceOf(span);
    return serveIn(span, serve, ctx, next);
  };
}

async function serveIn(span: Span, serve: Koa.Middleware, ctx: Koa.Context, next: Koa.Next): Promise<void> {
  try {
    await within(span, () => serve(ctx, next));
    describe(span, ctx, ctx.status);
  } catch (error) {
    describe(span, ctx, statusOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** Of the response that the error becomes. */
function statusOf(error: unknown): number {
  if (isDatabaseAway(error)) return errors.databaseAway().status;
  return error instanceof Rejection ? error.status : 500;
}

/** By the path of the contract: the one that was called may contain a number. */
function describe(span: Span, { method, state }: Koa.Context, status: number): void {
  const { basePath = '', route: path, operationId, caller } = state as RequestState;
  const route = path === undefined ? undefined : `${basePath}${path}`;
  span.updateName(route === undefined ? method : `${method} ${route}`);
  span.setAttributes({
    'http.request.method': method,
    'http.response.status_code': status,
    ...(route === undefined ? {} : { 'http.route': route }),
    ...(operationId === undefined ? {} : { 'tarishi.operation': operationId }),
    ...(caller?.teamId === undefined ? {} : { 'tarishi.team.id': caller.teamId }),
  });
  if (status >= 500) fail(span);
}
