/** Finds the recipients of a plan who opted out: their messages would be accepted, but not submitted. */
import type { Plan } from '../../model/plan.ts';
import type { FindOptedOut } from '../../products/consent/opt-out.ts';
import type { JudgedRecipient, Problem } from './judge.ts';

/** The problem of a recipient, if there is one. */
export type OptOutOf = (recipient: JudgedRecipient) => Problem[];

/** `desc`: what becomes of the messages of the product. */
export async function findOptOuts(plan: Plan, find: FindOptedOut, desc: string): Promise<OptOutOf> {
  const { teamId, category, smsServiceId: serviceId = plan.resourceId } = plan;
  // A number is looked up once.
  const asked = new Map(plan.messages.map((message) => [`${message.product} ${message.phone}`, message]));
  const optedOut = await find(
    [...asked].map(([id, { product, phone }]) => ({ id, product, phone, teamId, serviceId, category })),
  );
  return ({ messages }) =>
    messages.some(({ product, phone }) => optedOut.has(`${product} ${phone}`))
      ? [{ code: 'opted-out', desc }]
      : [];
}
