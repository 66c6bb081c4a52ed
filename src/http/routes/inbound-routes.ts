/** Routes for calls from networks, outside the contract: bytes in, a bare status out. */
import type { IncomingHttpHeaders } from 'node:http';
import Router, { type RouterContext } from '@koa/router';
import { errors } from '../../platform/errors.ts';
import { readBytes } from '../body/body.ts';
import { createBodyBudget } from '../body/body-budget.ts';
import { bodiesShare, inboundBodiesLimitBytes, inboundBodyLimitBytes } from '../bounds.ts';
import type { Guard } from '../guard.ts';
import type { Refusal } from '../request-state.ts';

/** A call, before its body is read. */
export interface NetworkCall {
  headers: IncomingHttpHeaders;
  /** As it came, without its question mark. */
  query: string;
  /** What the path says behind the name of the connector. */
  key: string | undefined;
}

/** A connector that its network calls. */
export interface CalledConnector {
  /** What to respond to a network that verifies our address; undefined: the request is not the network's. */
  challenge: (query: URLSearchParams) => string | undefined;
  /** Whether its network may call by GET. */
  takesGet: boolean;
  /** Whether the headers of a signature, or the secret of the path, are there; without them the body is not read. */
  hasSignature: (call: NetworkCall) => boolean;
  /** False when the signature is wrong. Resolves once what the call says is stored. */
  receive: (request: NetworkCall & { body: Buffer }) => Promise<boolean>;
}

/** Undefined: there is no such connector, or nobody calls it. */
export type FindConnector = (name: string) => Promise<CalledConnector | undefined>;

export const inboundPath = '/inbound/';

export function createInboundRoutes(findConnector: FindConnector, guard: Pick<Guard, 'admitLogin'>): Router {
  const router = new Router();
  const budget = createBodyBudget(inboundBodiesLimitBytes, bodiesShare);

  const paths = [`${inboundPath}:connector`, `${inboundPath}:connector/:key`];

  const receive = async (ctx: RouterContext, connector: CalledConnector, read: () => Promise<Buffer>) => {
    const { headers } = ctx.req;
    const call = { headers, query: ctx.querystring, key: ctx.params.key };
    const refuse = (reason: 'missing' | 'signature') => {
      ctx.state.refusal = { slug: 'network-call', reason } satisfies Refusal;
      ctx.status = 401;
    };
    ctx.status = 200;
    ctx.body = '';
    if (!connector.hasSignature(call)) return refuse('missing');
    guard.admitLogin(ctx.state.origin.peer);
    if (!(await connector.receive({ ...call, body: await read() }))) refuse('signature');
  };

  router.get(paths, async (ctx) => {
    const connector = await findConnector(ctx.params.connector ?? '');
    if (connector?.takesGet) return receive(ctx, connector, async () => Buffer.alloc(0));
    const answer = connector?.challenge(new URLSearchParams(ctx.querystring));
    ctx.status = answer === undefined ? 403 : 200;
    ctx.type = 'text/plain';
    ctx.body = answer ?? '';
  });

  router.post(paths, async (ctx) => {
    const connector = await findConnector(ctx.params.connector ?? '');
    if (connector === undefined) throw errors.noRoute();
    await receive(ctx, connector, () => readBytes(ctx, inboundBodyLimitBytes, budget, ctx.state.origin.peer));
  });

  return router;
}
