/** Where networks call us, beside the contract: bytes in, a bare status out. */
import type { IncomingHttpHeaders } from 'node:http';
import Router from '@koa/router';
import { errors } from '../errors.ts';
import { readBytes } from './body.ts';
import { createBodyBudget } from './body-budget.ts';
import { bodiesShare, inboundBodiesLimitBytes, inboundBodyLimitBytes } from './bounds.ts';

/** A connector that its network calls. */
export interface CalledConnector {
  /** What to respond to a network that verifies our address; undefined: the request is not the network's. */
  challenge: (query: URLSearchParams) => string | undefined;
  /** Whether the headers of a signature are there; without them the body is not read. */
  hasSignature: (headers: IncomingHttpHeaders) => boolean;
  /** False when the signature is wrong. Resolves once what the call says is stored. */
  receive: (request: { headers: IncomingHttpHeaders; body: Buffer }) => Promise<boolean>;
}

/** Undefined: there is no such connector, or nobody calls it. */
export type FindConnector = (name: string) => Promise<CalledConnector | undefined>;

export const inboundPath = '/inbound/';

export function createInboundRoutes(findConnector: FindConnector): Router {
  const router = new Router();
  const budget = createBodyBudget(inboundBodiesLimitBytes, bodiesShare);

  router.get(`${inboundPath}:connector`, async (ctx) => {
    const connector = await findConnector(ctx.params.connector ?? '');
    const answer = connector?.challenge(new URLSearchParams(ctx.querystring));
    ctx.status = answer === undefined ? 403 : 200;
    ctx.type = 'text/plain';
    ctx.body = answer ?? '';
  });

  router.post(`${inboundPath}:connector`, async (ctx) => {
    const connector = await findConnector(ctx.params.connector ?? '');
    if (connector === undefined) throw errors.noRoute();
    const { headers } = ctx.req;
    const taken =
      connector.hasSignature(headers) &&
      (await connector.receive({
        headers,
        body: await readBytes(ctx, inboundBodyLimitBytes, budget, ctx.state.origin.peer),
      }));
    ctx.status = taken ? 200 : 401;
    ctx.body = '';
  });

  return router;
}
