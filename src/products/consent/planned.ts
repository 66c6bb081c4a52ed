/** Finds the messages of a plan whose recipients opted out: they would be accepted, but not submitted. */
import type { Accepted, Plan, PlannedMessage } from '../../model/plan.ts';
import type { FindOptedOut } from './opt-out.ts';

export async function findUnwanted(
  plan: Pick<Plan, 'teamId' | 'category' | 'smsServiceId' | 'resourceId' | 'messages'>,
  find: FindOptedOut,
): Promise<(message: PlannedMessage) => boolean> {
  const { teamId, category, smsServiceId: serviceId = plan.resourceId } = plan;
  const nameOf = ({ product, phone }: PlannedMessage) => `${product} ${phone}`;
  // A number is looked up once.
  const asked = new Map(plan.messages.map((message) => [nameOf(message), message]));
  const unwanted = await find(
    [...asked].map(([id, { product, phone }]) => ({ id, product, phone, teamId, serviceId, category })),
  );
  return (message) => unwanted.has(nameOf(message));
}

/**
 * A scheduled plan whose messages to people who opted out do not wait for its time: they are queued, and end when they are
 * claimed. Others are left alone: they are claimed at once anyway.
 */
export async function endUnwanted<A extends Accepted>(plan: Plan<A>, find: FindOptedOut): Promise<Plan<A>> {
  if (plan.schedule === undefined) return plan;
  const isUnwanted = await findUnwanted(plan, find);
  const messages = plan.messages.map((message): PlannedMessage => {
    const { sendAt: _time, ...atOnce } = message;
    return isUnwanted(message) ? atOnce : message;
  });
  return { ...plan, messages };
}
