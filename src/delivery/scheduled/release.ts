/** Releases scheduled messages: their state is their queue until their time comes, and then they get their jobs. */
import type { Knex } from 'knex';
import { jobsOf } from '../../queue/fold-jobs.ts';
import type { Queue } from '../../queue/queue.ts';
import { releaseDue } from './repository.ts';

export interface ReleaseDependencies {
  knex: Knex;
  queue: Pick<Queue, 'insert'>;
  /** How long a message may wait for its network whose service does not say. */
  validitySeconds: number;
}

/** Few enough that nobody waits long for an embedded database. */
const releasedTogether = 1_000;

/** One round: returns whether there may be more that is due. `onReleased` is called once jobs were queued. */
export async function releaseRound(
  { knex, queue, validitySeconds }: ReleaseDependencies,
  onReleased: () => void,
): Promise<boolean> {
  const released = await knex.transaction(async (trx) => {
    const messages = await releaseDue(trx, releasedTogether, validitySeconds);
    await queue.insert(trx, 'deliver', jobsOf(messages));
    return messages.length;
  });
  if (released > 0) onReleased();
  return released === releasedTogether;
}
