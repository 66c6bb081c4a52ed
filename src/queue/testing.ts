/** Claims delivery jobs as a worker with room for all of them does, for tests. */

import type { ClaimedJob, DeliveryJob } from './job.ts';
import { jobReaders } from './job-documents.ts';
import type { Queue } from './queue.ts';
import { weights } from './shares.ts';

export async function claimAll(queue: Queue, room = 1_000): Promise<ClaimedJob<DeliveryJob>[]> {
  const { lanes } = await queue.claimDeliveries([]);
  const { jobs } = await queue.claimDeliveries(
    lanes.flatMap((lane) =>
      ([0, 1, 2] as const).map((priority) => ({
        lane,
        priority,
        weight: weights[priority],
        ahead: 0,
        teamsAhead: {},
        room,
        after: '',
      })),
    ),
  );
  return jobs.map(({ id, claims, leaseEndsMs, data, teamId, priority, messages, placeMs }) => {
    const document = jobReaders.deliver(data);
    if (document === undefined) throw new Error('the job cannot be read');
    return { id, claims, leaseEndsMs, data: { ...document, teamId, priority, messages, placeMs } };
  });
}
