/** Claims jobs from the queue, and quarantines those that cannot be read. */
import type { Knex } from 'knex';
import { ItemFault, reasonOf } from '../isolation/fault.ts';
import { insertQuarantined } from '../isolation/quarantine-repository.ts';
import type { QuarantineEvents } from '../isolation/record.ts';
import { jobReaders } from '../queue/job-documents.ts';
import type { Queue, QueueName, TakenJob } from '../queue/queue.ts';

type JobOf<Name extends QueueName> = NonNullable<ReturnType<(typeof jobReaders)[Name]>>;

export interface TakeDependencies {
  knex: Knex;
  queue: Pick<Queue, 'take' | 'complete'>;
  events: QuarantineEvents;
}

export const unreadable = new ItemFault('the job cannot be read');

/** Like `Queue.take`, but every job is one that can be worked on. */
export async function takeJobs<Name extends QueueName>(
  { knex, queue, events }: TakeDependencies,
  name: Name,
  limit: number,
  exceptGroups: readonly string[] = [],
): Promise<TakenJob<JobOf<Name>>[]> {
  for (;;) {
    const jobs = await queue.take(name, limit, exceptGroups);
    const faulty = jobs.filter(({ data }) => jobReaders[name](data) === undefined);
    if (faulty.length > 0) {
      await knex.transaction(async (trx) => {
        for (const { id, data } of faulty) {
          const payload = { queue: name, data };
          await insertQuarantined(trx, { round: 'job', item: id, messageId: null, payload }, unreadable);
        }
        await queue.complete(trx, name, faulty);
      });
      for (const { id } of faulty) events.itemQuarantined('job', id, reasonOf(unreadable));
    }
    if (faulty.length < jobs.length || jobs.length === 0)
      return jobs.filter((job) => !faulty.includes(job)) as TakenJob<JobOf<Name>>[];
  }
}
