/** Where networks call us, beside the contract: bytes in, a bare status out. */
import type { IncomingHttpHeaders } from 'node:http';
import Router from '@koa/router';
import { errors } from '../errors.ts';
import { readBytes } from './body.ts';

/** What is done with calls of networks, by the name of the connector. */
export interface NetworkCalls {
  /** What to answer a network that makes sure of the address; undefined: it is none of ours. */
  challenge: (connector: string, query: URLSearchParams) => Promise<string | undefined>;
  /** `taken` once what it says is safe. */
  receive: (
    connector: string,
    request: { headers: IncomingHttpHeaders; body: Buffer },
  ) => Promise<'taken' | 'forged' | 'unknown'>;
}

export const inboundPath = '/inbound/';
/** Networks fold up to 3 MB of statuses into one call. */
const inboundLimitBytes = 4 * 1024 * 1024;

export function createInboundRoutes({ challenge, receive }: NetworkCalls): Router {
  const router = new Router();

  router.get(`${inboundPath}:connector`, async (ctx) => {
    const answer = await challenge(ctx.params.connector ?? '', new URLSearchParams(ctx.querystring));
    ctx.status = answer === undefined ? 403 : 200;
    ctx.type = 'text/plain';
    ctx.body = answer ?? '';
  });

  router.post(`${inboundPath}:connector`, async (ctx) => {
    const body = await readBytes(ctx.req, inboundLimitBytes);
    const outcome = await receive(ctx.params.connector ?? '', { headers: ctx.req.headers, body });
    if (outcome === 'unknown') throw errors.noRoute();
    ctx.status = outcome === 'taken' ? 200 : 401;
    ctx.body = '';
  });

  return router;
}
