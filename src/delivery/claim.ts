/** Claims jobs from the queue, and quarantines those that cannot be read. */
import type { Knex } from 'knex';
import { ItemFault, reasonOf } from '../platform/isolation/fault.ts';
import { insertQuarantined } from '../platform/isolation/quarantine-repository.ts';
import type { QuarantineEvents } from '../platform/isolation/record.ts';
import type { ClaimedDelivery, OpenLane } from '../queue/claim-deliveries.ts';
import type { ClaimedJob, DeliveryJob, JobOf, QueueName } from '../queue/job.ts';
import { jobReaders } from '../queue/job-documents.ts';
import type { Queue } from '../queue/queue.ts';

export interface ClaimDependencies {
  knex: Knex;
  queue: Pick<Queue, 'claim' | 'claimDeliveries' | 'complete'>;
  events: QuarantineEvents;
}

export const unreadable = new ItemFault('the job cannot be read');

/** Claims up to `limit` due jobs that can be worked on. */
export async function claimJobs<Name extends Exclude<QueueName, 'deliver'>>(
  dependencies: ClaimDependencies,
  name: Name,
  limit: number,
): Promise<ClaimedJob<JobOf[Name]>[]> {
  for (;;) {
    const jobs = await dependencies.queue.claim(name, limit);
    const readable = await withoutUnreadable(dependencies, name, jobs);
    if (readable.length > 0 || jobs.length === 0) return readable as ClaimedJob<JobOf[Name]>[];
  }
}

export interface DeliveryClaim {
  jobs: ClaimedJob<DeliveryJob>[];
  /** All lanes that have jobs, due or not. */
  lanes: string[];
  /** There may be more jobs at once. */
  more: boolean;
  /** All that was due is held by others. */
  outrun: boolean;
}

/** Claims what the open lanes have room for, and what expires. */
export async function claimDeliveryJobs(
  dependencies: ClaimDependencies,
  open: readonly OpenLane[],
): Promise<DeliveryClaim> {
  const { jobs, lanes, missed } = await dependencies.queue.claimDeliveries(open);
  const readable = await withoutUnreadable(dependencies, 'deliver', jobs);
  return {
    jobs: readable.map(deliveryJob),
    lanes,
    more: missed || jobs.length > 0,
    outrun: missed && jobs.length === 0,
  };
}

function deliveryJob(job: ClaimedDelivery) {
  const { id, claims, leaseEndsMs, data, teamId, priority, messages, placeMs } = job;
  const document = data as NonNullable<ReturnType<(typeof jobReaders)['deliver']>>;
  return { id, claims, leaseEndsMs, data: { ...document, teamId, priority, messages, placeMs } };
}

async function withoutUnreadable<Job extends ClaimedJob<unknown>>(
  { knex, queue, events }: ClaimDependencies,
  name: QueueName,
  jobs: readonly Job[],
): Promise<Job[]> {
  const faulty = jobs.filter(({ data }) => jobReaders[name](data) === undefined);
  if (faulty.length > 0) {
    await knex.transaction(async (trx) => {
      for (const { id, data } of faulty) {
        const payload = { queue: name, data };
        await insertQuarantined(trx, { round: 'job', item: id, messageId: null, payload }, unreadable);
      }
      await queue.complete(trx, faulty);
    });
    for (const { id } of faulty) events.itemQuarantined('job', id, reasonOf(unreadable));
  }
  return jobs.filter((job) => !faulty.includes(job));
}
