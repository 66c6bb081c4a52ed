/** Renders every error in one place: those of the catalogue as published, all others as 500 or 503. */
import type Koa from 'koa';
import type { Logger } from 'pino';
import type { Events } from '../model/events.ts';
import { isDatabaseAway } from '../platform/errors/database-away.ts';
import { errors, Rejection } from '../platform/errors.ts';
import type { Refusal, RequestState } from './request-state.ts';

/** Operations whose errors have the form of RFC 6749, section 5.2. */
const oauthOperations = new Set(['issueToken']);

export function renderErrors(logger: Logger, events: Events): Koa.Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const rejection = error instanceof Rejection ? error : ownFault(error, ctx.state.requestId, logger);
      const { operationId = 'none' } = ctx.state as RequestState;
      ctx.state.refusal = { slug: rejection.slug, reason: rejection.reason } satisfies Refusal;
      events.requestRefused(operationId, rejection.status);
      ctx.status = rejection.status;
      ctx.set(rejection.headers);
      ctx.set(namingHeaders(rejection));
      if (oauthOperations.has(operationId)) ctx.set('Cache-Control', 'no-store');
      ctx.type = 'application/json';
      ctx.body = JSON.stringify(bodyOf(rejection, operationId));
    }
  };
}

/** Name the error for programs, and its page for people. */
export function namingHeaders({ slug = 'internal' }: { slug?: string | undefined }): Record<string, string> {
  return { 'Error-Code': slug, Link: `</docs/errors/${slug}>; rel="help"` };
}

function ownFault(error: unknown, requestId: string, logger: Logger): Rejection {
  if (isDatabaseAway(error)) return errors.databaseAway();
  logger.error({ err: error, requestId }, 'request failed');
  return errors.internal(requestId);
}

/** The body of the response to a rejected request. */
export function bodyOf(rejection: Rejection, operationId: string): object {
  if (oauthOperations.has(operationId) || rejection.status === 429)
    return { error: rejection.code ?? 'invalid_request', error_description: rejection.desc };
  const { desc, result } = rejection;
  return result === undefined ? { desc } : { desc, result };
}
