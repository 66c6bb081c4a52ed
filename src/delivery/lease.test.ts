/** A worker whose lease is over may come back: what it has in hand is somebody else's by then. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Connector, HandOver } from '../connectors/contract/connector.ts';
import type { DeliveryJob, TakenJob } from '../queue/queue.ts';
import { deliverJobs } from './deliver.ts';
import { handOver } from './hand-over.ts';
import { loadQueuedMessages } from './repository.ts';
import { delivered, network, openDelivery, type TestDelivery } from './testing.ts';

let delivery: TestDelivery;

beforeAll(async () => {
  delivery = await openDelivery(process.env.DATABASE_URL);
});
afterAll(() => delivery.close());
beforeEach(async () => {
  await delivery.reset(1_000);
  await delivery.accept({ units: 3 });
});

const jobsInQueue = async () =>
  (await delivery.knex('pgboss.job').where({ name: 'deliver' }).orderBy('created_on')).map(
    ({ state, retry_count }) => [state, retry_count],
  );

/** As maintenance does with a lease that is over. */
const endLeases = () =>
  delivery.knex.raw(`update pgboss.job set state = 'retry', start_after = now() where state = 'active'`);

/** The worker takes its job, and is as slow as `meanwhile`; its network answers so. */
async function slowWorker(answer: () => HandOver, meanwhile: () => Promise<unknown>): Promise<void> {
  const { connector } = network(answer);
  const slow: Connector = {
    send: async (messages) => {
      await meanwhile();
      return connector.send(messages);
    },
  };
  await deliverJobs(delivery.dependencies({ sms: slow }), await delivery.queue.take('deliver', 1));
}

const overdue = 'a lease was over before its job was done';

test.each<[string, HandOver]>([
  ['delivered', delivered],
  ['was refused', { kind: 'rejected', state: 'Failed', reason: 'refused' }],
  ['is to come later', { kind: 'later', delaySeconds: 0 }],
])('says in vain that a message %s while another worker has it', async (_what, outcome) => {
  let others: TakenJob<DeliveryJob>[] = [];
  const stale = slowWorker(
    () => outcome,
    async () => {
      await endLeases();
      others = await delivery.queue.take('deliver', 1);
    },
  );
  await expect(stale).rejects.toThrow(overdue);
  expect(await delivery.states()).toEqual(['Queued']);
  expect(await delivery.balance()).toBe(997);
  expect(await jobsInQueue()).toEqual([['active', 1]]);

  const { connector } = network(() => delivered);
  await deliverJobs(delivery.dependencies({ sms: connector }), others);
  expect([await delivery.states(), await jobsInQueue()]).toEqual([['Delivered'], [['completed', 1]]]);
});

test('does not give back what another worker has', async () => {
  const stale = slowWorker(
    () => delivered,
    async () => {
      await endLeases();
      await delivery.queue.take('deliver', 1);
      throw new Error('the connection is gone');
    },
  );
  await expect(stale).rejects.toThrow(overdue);
  expect(await jobsInQueue()).toEqual([['active', 1]]);
});

test('finishes nothing that waits to be taken again', async () => {
  await expect(slowWorker(() => delivered, endLeases)).rejects.toThrow(overdue);
  expect([await delivery.states(), await jobsInQueue()]).toEqual([['Queued'], [['retry', 0]]]);
});

test('sends nothing once its lease is over', async () => {
  const { connector, sent } = network(() => delivered);
  const jobs = await delivery.queue.take('deliver', 1);
  const messages = await loadQueuedMessages(
    delivery.knex,
    jobs.map(({ data }) => data),
  );
  await handOver(delivery.dependencies({ sms: connector }), messages, () => true);
  expect([messages.length, sent]).toEqual([1, []]);
});

test('is released whatever the error says, and nothing of that is kept', async () => {
  const jobs = await delivery.queue.take('deliver', 1);
  await delivery.queue.release('deliver', jobs, new Error('quotes +254711000000, \0 and \ud83d'));
  expect(await jobsInQueue()).toEqual([['retry', 0]]);
  const [{ output }] = await delivery.knex('pgboss.job').where({ name: 'deliver' });
  expect(output).toEqual({ reason: 'Error' });
});
