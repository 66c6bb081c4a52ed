/** Finds the recipients of a plan who opted out: their messages would be accepted, but not submitted. */
import type { Plan } from '../../model/plan.ts';
import type { FindOptedOut } from '../../products/consent/opt-out.ts';
import { findUnwanted } from '../../products/consent/planned.ts';
import type { JudgedRecipient, Problem } from './judge.ts';

/** The problem of a recipient, if there is one. */
export type OptOutOf = (recipient: JudgedRecipient) => Problem[];

/** `desc`: what becomes of the messages of the product. */
export async function findOptOuts(plan: Plan, find: FindOptedOut, desc: string): Promise<OptOutOf> {
  const isUnwanted = await findUnwanted(plan, find);
  return ({ messages }) => (messages.some(isUnwanted) ? [{ code: 'opted-out', desc }] : []);
}
