/** Routes for calls from networks, outside the contract: bytes in, a bare status out. */
import type { IncomingHttpHeaders } from 'node:http';
import Router from '@koa/router';
import { errors } from '../../platform/errors.ts';
import { readBytes } from '../body/body.ts';
import { createBodyBudget } from '../body/body-budget.ts';
import { bodiesShare, inboundBodiesLimitBytes, inboundBodyLimitBytes } from '../bounds.ts';
import type { Guard } from '../guard.ts';
import type { Refusal } from '../request-state.ts';

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

export function createInboundRoutes(findConnector: FindConnector, guard: Pick<Guard, 'admitLogin'>): Router {
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
    const { peer } = ctx.state.origin;
    const refuse = (reason: 'missing' | 'signature') => {
      ctx.state.refusal = { slug: 'network-call', reason } satisfies Refusal;
      ctx.status = 401;
    };
    ctx.status = 200;
    ctx.body = '';
    if (!connector.hasSignature(headers)) return refuse('missing');
    guard.admitLogin(peer);
    const body = await readBytes(ctx, inboundBodyLimitBytes, budget, peer);
    if (!(await connector.receive({ headers, body }))) refuse('signature');
  });

  return router;
}
