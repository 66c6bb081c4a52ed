/** Reads what a form sends. */
import type Koa from 'koa';
import { readBytes } from '../http/body/body.ts';
import { createBodyBudget } from '../http/body/body-budget.ts';
import { bodiesShare, formsLimitBytes } from '../http/bounds.ts';
import type { RequestState } from '../http/request-state.ts';
import { errors } from '../platform/errors.ts';

/** A template with its texts, as forms write it, and room. */
const limitBytes = 256 * 1024;
/** Those of the longest form, a template with a hundred parameters, are about 500. */
export const mostFields = 1_000;
const budget = createBodyBudget(formsLimitBytes, bodiesShare);
const type = 'application/x-www-form-urlencoded';

/** Rejects with 400 of the catalogue. */
export async function readForm(ctx: Koa.Context): Promise<URLSearchParams> {
  if (!ctx.is(type)) throw errors.unsupportedContentType(type);
  const state = ctx.state as RequestState;
  const bytes = await readBytes({ req: ctx.req, res: ctx.res, state }, limitBytes, budget, state.origin.peer);
  return fieldsIn(bytes.toString('utf8'));
}

/** Rejects with 400 before a form of too many fields is parsed. */
function fieldsIn(text: string): URLSearchParams {
  let fields = 1;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) {
    fields += 1;
    if (fields > mostFields) throw errors.tooManyProperties(mostFields);
  }
  // Browsers end lines with CR LF.
  return new URLSearchParams(text.replaceAll('%0D%0A', '%0A'));
}
