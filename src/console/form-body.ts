/** Reads what a form sends. */
import type Koa from 'koa';
import { readBytes } from '../http/body/body.ts';
import { createBodyBudget } from '../http/body/body-budget.ts';
import { bodiesShare, formsLimitBytes } from '../http/bounds.ts';
import type { RequestState } from '../http/request-state.ts';
import { errors } from '../platform/errors.ts';

/** A template with its texts, as forms write it, and room. */
const limitBytes = 256 * 1024;
const budget = createBodyBudget(formsLimitBytes, bodiesShare);
const type = 'application/x-www-form-urlencoded';

/** Rejects with 400 of the catalogue. */
export async function readForm(ctx: Koa.Context): Promise<URLSearchParams> {
  if (!ctx.is(type)) throw errors.unsupportedContentType(type);
  const state = ctx.state as RequestState;
  const bytes = await readBytes({ req: ctx.req, res: ctx.res, state }, limitBytes, budget, state.origin.peer);
  // Browsers end lines with CR LF.
  return new URLSearchParams(bytes.toString('utf8').replaceAll('%0D%0A', '%0A'));
}
