/** Records the reports that connectors announced for a later time. */
import { recordChanges } from '../receipts/record.ts';
import { type StateChange, statesBefore } from '../receipts/states.ts';
import { announce, type Listeners } from './announce.ts';
import type { DeliveryDependencies } from './deliver.ts';

const reportsPerRound = 500;

/** One round: answers whether there may be more reports due. */
export async function reportRound({
  knex,
  queue,
  consequences,
  ...listeners
}: Listeners & Pick<DeliveryDependencies, 'knex' | 'queue' | 'consequences'>): Promise<boolean> {
  const jobs = await queue.take('report', reportsPerRound);
  if (jobs.length === 0) return false;
  const changes = jobs.map(({ data: { messageId, product, state } }) => ({
    messageId,
    product,
    state,
    refund: false,
  }));
  // Reports of one message may be due together: its earlier states first, or they would be lost.
  changes.sort((one, other) => stepsBefore(one) - stepsBefore(other));
  try {
    const reached = await knex.transaction(async (trx) => {
      const states = await recordChanges(trx, changes, consequences);
      await queue.complete(trx, 'report', jobs);
      return states;
    });
    announce(reached, listeners);
  } catch (error) {
    await queue.release('report', jobs, error);
    throw error;
  }
  return jobs.length === reportsPerRound;
}

function stepsBefore({ product, state }: StateChange): number {
  return statesBefore(product, state).length;
}
