/** Finds the messages of a plan whose recipients opted out: they would be accepted, but not submitted. */
import type { Accepted, Plan, PlannedMessage } from '../../model/plan.ts';
import type { FindOptedOut } from './opt-out.ts';

export async function findUnwanted(
  plan: Pick<Plan, 'teamId' | 'category' | 'smsServiceId' | 'resourceId' | 'messages'>,
  find: FindOptedOut,
): Promise<(message: PlannedMessage) => boolean> {
  const { teamId, category, resourceId, smsServiceId = resourceId } = plan;
  const nameOf = ({ product, phone }: PlannedMessage) => `${product} ${phone}`;
  // A number is looked up once.
  const asked = new Map(plan.messages.map((message) => [nameOf(message), message]));
  const unwanted = await find(
    [...asked].map(([id, { product, phone }]) => ({
      ...{ id, product, phone, teamId, category },
      serviceId: product === 'chatapp' ? resourceId : smsServiceId,
    })),
  );
  return (message) => unwanted.has(nameOf(message));
}

/**
 * The plan, but what waits for a time and is for people who opted out does not wait: it is queued, and ends when it is
 * claimed. A plan of which nothing waits is left alone: it is claimed at once anyway.
 */
export function endUnwanted<A extends Accepted>(
  plan: Plan<A>,
  find: FindOptedOut,
): Plan<A> | Promise<Plan<A>> {
  return plan.messages.every(({ sendAt }) => sendAt === undefined) ? plan : withoutWait(plan, find);
}

async function withoutWait<A extends Accepted>(plan: Plan<A>, find: FindOptedOut): Promise<Plan<A>> {
  const isUnwanted = await findUnwanted(plan, find);
  const messages = plan.messages.map((message): PlannedMessage => {
    const { sendAt: _time, ...atOnce } = message;
    return isUnwanted(message) ? atOnce : message;
  });
  return { ...plan, messages };
}
