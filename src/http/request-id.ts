/** Gives every request an id: the client's own if it is safe to log, otherwise a generated one. */
import type Koa from 'koa';
import { newTimedId } from '../platform/timed-id.ts';

const acceptable = /^[\w-]{1,64}$/;

export const requestId: Koa.Middleware = (ctx, next) => {
  const given = ctx.get('x-request-id');
  const id = requestIdOf(given);
  ctx.state.requestId = id;
  ctx.state.requestIdIsOurs = id !== given;
  ctx.set('X-Request-Id', id);
  return next();
};

/** `given`: the X-Request-Id of the request, or an empty text. */
export function requestIdOf(given: string): string {
  return acceptable.test(given) ? given : newTimedId();
}
