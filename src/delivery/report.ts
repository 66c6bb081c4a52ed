/** Records the reports that connectors announced for a later time. */
import { type Round, recordIsolated } from '../isolation/record.ts';
import { recordChanges } from '../receipts/record.ts';
import { type StateChange, statesBefore } from '../receipts/states.ts';
import { announce, type Listeners } from './announce.ts';
import type { DeliveryDependencies } from './deliver.ts';
import type { ReportJob } from './queue.ts';
import { takeJobs } from './take.ts';

const reportsPerRound = 500;

const announcedReports: Round<ReportJob> = {
  describe: (payload) => ({
    round: 'announced-report',
    item: `${payload.messageId} ${payload.state}`,
    messageId: payload.messageId,
    payload,
  }),
};

/** One round: answers whether there may be more reports due. */
export async function reportRound({
  knex,
  queue,
  consequences,
  ...listeners
}: Listeners & Pick<DeliveryDependencies, 'knex' | 'queue' | 'consequences'>): Promise<boolean> {
  const jobs = await takeJobs({ knex, queue, events: listeners.events }, 'report', reportsPerRound);
  if (jobs.length === 0) return false;
  const reports = jobs.map(({ data }) => data);
  // Reports of one message may be due together: its earlier states first, or they would be lost.
  reports.sort((one, other) => stepsBefore(one) - stepsBefore(other));
  try {
    const reached = await recordIsolated(knex, listeners.events, async (trx, each) => {
      const states = await each(announcedReports, reports, (inner, some) =>
        recordChanges(inner, some.map(changeOfReport), consequences),
      );
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

export function changeOfReport({ messageId, product, state }: ReportJob): StateChange {
  return { messageId, product, state, refund: false };
}

function stepsBefore({ product, state }: ReportJob): number {
  return statesBefore(product, state).length;
}
