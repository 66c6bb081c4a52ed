/** Responds to a request whose body was not read in a way that the client still receives the response. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type Koa from 'koa';
import { lingerLimitMs } from '../bounds.ts';
import { awaitsContinue, mayBeLong } from './body.ts';

/**
 * Closes the connection when much of a body is unread, but not at once: closing while the client sends resets the
 * connection, and the client may lose the response. A small rest is left to Node, which drops it.
 */
export const lingerOnUnreadBody: Koa.Middleware = async (ctx, next) => {
  await next();
  if (typeof ctx.body !== 'string' || ctx.req.complete) return;
  // A client that asked whether to send its body may never send it.
  if (!mayBeLong(ctx.req) && !awaitsContinue(ctx.req)) return;
  ctx.set('Connection', 'close');
  const response = Buffer.from(ctx.body);
  ctx.body = Readable.from(thenDrop(response, ctx.req));
  ctx.length = response.length;
};

async function* thenDrop(response: Buffer, request: IncomingMessage): AsyncGenerator<Buffer> {
  yield response;
  const waiting = new AbortController();
  const { signal } = waiting;
  request.resume();
  await Promise.race([
    once(request, 'close', { signal }),
    once(request, 'end', { signal }),
    delay(lingerLimitMs, undefined, { signal, ref: false }),
  ]).catch(() => {});
  waiting.abort();
}
