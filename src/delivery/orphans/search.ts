/**
 * Puts messages back on their way that nothing accounts for. None should ever be found: whatever a fault leaves behind
 * ends here, by the rules of its product, and is counted.
 */
import type { Knex } from 'knex';
import type { Events } from '../../model/events.ts';
import { priorities } from '../../model/plan.ts';
import { jobsOf } from '../../queue/fold-jobs.ts';
import type { Queue } from '../../queue/queue.ts';
import { payRefunds } from '../../receipts/refund-repository.ts';
import { releaseHeld } from '../held.ts';
import {
  findOrphans,
  lockOrphans,
  lockUnsubmitted,
  newestMessageId,
  type Orphan,
  type Search,
} from './repository.ts';

export interface OrphanDependencies {
  knex: Knex;
  queue: Pick<Queue, 'insert'>;
  events: Pick<Events, 'messagesOrphaned'>;
  /** How long a message may wait for its network whose service does not say. */
  validitySeconds: number;
}

/**
 * A round looks at messages that were there in an earlier round: those that just came in have their jobs, and are most
 * of what waits in a busy service. The next round goes on where one had to stop.
 */
export function createOrphanSearch(dependencies: OrphanDependencies): () => Promise<void> {
  const { knex, events } = dependencies;
  let after = '0';
  let until: string | undefined;
  return async () => {
    if (until !== undefined) {
      const { orphans, next } = await adopt(dependencies, after, until);
      if (orphans.length > 0) events.messagesOrphaned(orphans);
      after = next ?? '0';
    }
    if (after === '0') until = await newestMessageId(knex);
  };
}

/** Two processes that look at once find the same orphans: one of them leaves all to the other. */
async function adopt({ knex, queue, validitySeconds }: OrphanDependencies, after: string, until: string) {
  return knex.transaction(async (trx): Promise<Search> => {
    if (!(await lockOrphans(trx))) return { orphans: [], next: undefined };
    const search = await findOrphans(trx, after, until);
    const held = search.orphans.filter(({ state }) => state === 'Held');
    const unsubmitted = search.orphans.filter(({ state }) => state !== 'Held');
    if (unsubmitted.length > 0) {
      const ids = unsubmitted.map(({ id }) => id);
      const messages = await lockUnsubmitted(trx, ids, validitySeconds);
      // Nobody knows whether a network has them. Interrupted submissions of bundles and chat-app messages are queried first, as those of any job.
      const jobs = jobsOf(
        messages.map((message) => ({ ...message, priority: priorities.UTILITY, unanswered: true })),
      );
      await queue.insert(trx, 'deliver', jobs);
    }
    if (held.length > 0)
      await payRefunds(trx, await releaseHeld(trx, queue, held.map(bundleOf), validitySeconds));
    return search;
  });
}

/** The bundle that a held SMS waits for; one that is missing was not delivered. */
function bundleOf({ id, requestId, position, bundle }: Orphan) {
  return { messageId: id, requestId, position, state: bundle ?? 'Failed' };
}
