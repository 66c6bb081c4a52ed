/** A worker may resume after its lease has expired: its jobs belong to another worker by then. */

import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Connector, HandOver } from '../connectors/contract/connector.ts';
import { longLease } from '../connectors/contract/lease-testing.ts';
import type { ClaimedJob, DeliveryJob } from '../queue/job.ts';
import { claimAll } from '../queue/testing.ts';
import { handOver } from './hand-over.ts';
import { leaseOf } from './lease.ts';
import { loadQueuedMessages } from './repository.ts';
import { delivered, network, openedDelivery, provider } from './testing.ts';

const delivery = openedDelivery();
beforeEach(async () => {
  await delivery.reset(1_000);
  await delivery.accept({ units: 3 });
});

const jobsInQueue = async () =>
  (await delivery.knex('jobs').orderBy('id')).map(({ claimed, claims }) => [claimed, claims]);

/** As time does. */
const endLeases = () => delivery.knex.raw('update jobs set due_at = service_now() where claimed');

/** The worker takes its job, and is as slow as `meanwhile`; its network returns this result. */
async function slowWorker(answer: () => HandOver, meanwhile: () => Promise<unknown>): Promise<void> {
  const { connector } = network(answer);
  const slow: Connector = {
    send: async (messages) => {
      await meanwhile();
      return connector.send(messages, longLease);
    },
  };
  await delivery.deliverJobs(delivery.dependencies({ sms: slow }), await claimAll(delivery.queue));
}

const overdue = 'a lease was over before its job was done';

test.each<[string, HandOver]>([
  ['delivered', delivered],
  ['is to be retried later', { kind: 'later', delaySeconds: 0 }],
])('cannot record that a message %s while another worker has it', async (_what, outcome) => {
  let others: ClaimedJob<DeliveryJob>[] = [];
  const stale = slowWorker(
    () => outcome,
    async () => {
      await endLeases();
      others = await claimAll(delivery.queue);
    },
  );
  await expect(stale).rejects.toThrow(overdue);
  expect(await delivery.states()).toEqual(['Queued']);
  expect(await delivery.balance()).toBe(997);
  expect(await jobsInQueue()).toEqual([[true, 2]]);

  const { connector } = network(() => delivered);
  await delivery.deliverJobs(delivery.dependencies({ sms: connector }), others);
  expect([await delivery.states(), await jobsInQueue()]).toEqual([['Delivered'], []]);
});

test('does not give back what another worker has', async () => {
  const stale = slowWorker(
    () => delivered,
    async () => {
      await endLeases();
      await claimAll(delivery.queue);
      throw new Error('the connection is gone');
    },
  );
  await expect(stale).rejects.toThrow(overdue);
  expect(await jobsInQueue()).toEqual([[true, 2]]);
});

test('finishes what nobody else has claimed, however late', async () => {
  await slowWorker(() => delivered, endLeases);
  expect([await delivery.states(), await jobsInQueue()]).toEqual([['Delivered'], []]);
});

test('sends nothing once its lease is over', async () => {
  const { connector, sent } = network(() => delivered);
  const jobs = await claimAll(delivery.queue);
  const messages = await loadQueuedMessages(
    delivery.knex,
    jobs.map(({ data }) => data),
    3_600,
  );
  await handOver(delivery.dependencies({ sms: connector }), messages, {
    through: { name: 'sms', connector, passed: [], hasOthers: false },
    most: 10,
    lease: leaseOf(jobs.map((job) => ({ ...job, leaseEndsMs: performance.now() }))),
  });
  expect([messages.length, sent]).toEqual([1, []]);
});

describe('a bundle', () => {
  beforeEach(async () => {
    await delivery.reset(1_000);
    await delivery.accept({ product: 'data', content: '1GB' });
  });

  test('is not sent by a worker whose jobs others have claimed, whatever its own stopwatch says', async () => {
    const stale = await claimAll(delivery.queue);
    await endLeases();
    const others = await claimAll(delivery.queue);
    const { connector, sent } = provider();
    const working = delivery.deliverJobs(delivery.dependencies({ data: connector }), stale);
    await expect(working).rejects.toThrow(overdue);
    expect([sent, await delivery.states(), await jobsInQueue()]).toEqual([[], ['Queued'], [[true, 2]]]);
    await delivery.deliverJobs(delivery.dependencies({ data: connector }), others);
    expect([sent.length, await delivery.states(), await jobsInQueue()]).toEqual([1, ['Delivered'], []]);
  });

  test('is sent under a lease that begins anew, so that nobody can claim it meanwhile', async () => {
    const jobs = await claimAll(delivery.queue);
    await endLeases();
    const { connector } = provider();
    const seen: unknown[] = [];
    const watched: Connector = {
      ...connector,
      send: async (messages, leftMs) => {
        seen.push(await claimAll(delivery.queue), leftMs() > 59_000);
        return connector.send(messages, leftMs);
      },
    };
    const soonOver = jobs.map((job) => ({ ...job, leaseEndsMs: performance.now() + 5_000 }));
    await delivery.deliverJobs(delivery.dependencies({ data: watched }), soonOver);
    expect([seen, await delivery.states()]).toEqual([[[], true], ['Delivered']]);
  });

  test('that ended meanwhile is not sent', async () => {
    const jobs = await claimAll(delivery.queue);
    const { connector, sent } = provider();
    const late: Connector = {
      ...connector,
      ask: async (messages) => {
        await delivery.knex('messages').update({ state: 'Delivered' });
        return (await connector.ask?.(messages)) ?? [];
      },
    };
    await delivery.knex('messages').update({ state: 'Sending', submitted_at: delivery.knex.fn.now() });
    await delivery.deliverJobs(delivery.dependencies({ data: late }), jobs);
    expect([sent, await delivery.states()]).toEqual([[], ['Delivered']]);
  });
});

test('a worker that stood still while the response to its claim was on the way sends nothing', async () => {
  const realMs = performance.now.bind(performance);
  let stoodStillMs = 0;
  const stopwatch = jest.spyOn(performance, 'now').mockImplementation(() => realMs() + stoodStillMs);
  try {
    const jobs = await claimAll({
      ...delivery.queue,
      claimDeliveries: (open) => {
        const claiming = delivery.queue.claimDeliveries(open);
        stoodStillMs += 61_000;
        return claiming;
      },
    });
    const { connector, sent } = network(() => delivered);
    await delivery.deliverJobs(delivery.dependencies({ sms: connector }), jobs);
    expect([jobs.length, sent, await delivery.states()]).toEqual([1, [], ['Queued']]);
  } finally {
    stopwatch.mockRestore();
  }
});

test('is released for a later try', async () => {
  const jobs = await claimAll(delivery.queue);
  await delivery.queue.release(jobs);
  expect([await jobsInQueue(), await claimAll(delivery.queue)]).toEqual([[[false, 1]], []]);
  await delivery.hurry();
  expect(await claimAll(delivery.queue)).toHaveLength(1);
});
