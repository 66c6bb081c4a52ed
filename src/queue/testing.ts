/** A queue in a database of its own, and what its tests put into it and claim as a worker does. */
import { randomUUID } from 'node:crypto';
import { openedForAll } from '../platform/db/opened-testing.ts';
import { openTestDatabase } from '../platform/db/testing.ts';
import type { ClaimedJob, DeliveryJob } from './job.ts';
import { jobReaders } from './job-documents.ts';
import { createQueue, type Queue } from './queue.ts';
import { weights } from './shares.ts';

/** For all tests of a file. */
export const openedQueue = () =>
  openedForAll(
    async () => {
      const database = await openTestDatabase(process.env.DATABASE_URL);
      const { knex } = database;
      const queue = createQueue(knex);
      /** Delivery jobs of one SMS each, unless they say otherwise. */
      const insert = (jobs: readonly Partial<DeliveryJob>[], delaySeconds = 0): Promise<void> => {
        const whole = jobs.map((job) => ({
          ...({ product: 'sms', channel: 'Safaricom', teamId: 'team', priority: 2, messages: 1 } as const),
          requestIds: [randomUUID()],
          ...job,
        }));
        return knex.transaction((trx) => queue.insert(trx, 'deliver', whole, delaySeconds));
      };
      return {
        ...database,
        queue,
        insert,
        /** A request of that time, and a job for its messages. */
        insertRequest: async (createdAt: unknown, job: Partial<DeliveryJob> = {}, delaySeconds = 0) => {
          const id = randomUUID();
          const request = {
            id,
            team_id: 'team',
            client_id: 'client',
            operation: 'sendSms',
            resource_id: 's',
          };
          await knex('requests').insert({ ...request, created_at: createdAt });
          await insert([{ requestIds: [id], ...job }], delaySeconds);
        },
      };
    },
    ({ close }) => close(),
  );

/** With room for all of them. */
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
