/** What waits for each connector, and that reading it takes few rows however much waits. */
import { beforeEach, expect, test } from '@jest/globals';
import { clearTables } from '../platform/db/testing.ts';
import type { DeliveryJob } from './job.ts';
import { openedQueue } from './testing.ts';
import { readWaiting } from './waiting-repository.ts';

const opened = openedQueue();
beforeEach(() => clearTables(opened.knex, 'requests, messages, jobs'));

const lanes = [
  { connector: 'smsc', lane: 'sms Safaricom' },
  { connector: 'smsc', lane: 'sms Airtel' },
  { connector: 'bundles', lane: 'data Safaricom' },
];

const queued = (acceptedAt: string, job: Partial<DeliveryJob> = {}) =>
  opened.insertRequest(acceptedAt, { placeMs: Date.parse(acceptedAt), ...job });

test('without messages there are none', async () => {
  expect(await readWaiting(opened.knex, lanes)).toEqual([]);
});

test('messages are counted by connector, over lanes, priorities and teams, with the oldest of them', async () => {
  await queued('2026-11-21T08:10:00Z', { messages: 40 });
  await queued('2026-11-21T08:04:00Z', { teamId: 'other', messages: 2 });
  await queued('2026-11-21T08:03:00Z', { channel: 'Airtel', priority: 0, messages: 3 });
  await queued('2026-11-21T08:01:00Z', { channel: 'Telkom' });
  await queued('2026-11-21T08:05:00Z', { product: 'data' });
  const waiting = await readWaiting(opened.knex, lanes);
  expect(waiting.sort((one, other) => one.waiting - other.waiting)).toEqual([
    { connector: 'bundles', waiting: 1, oldestWaitingAt: new Date('2026-11-21T08:05:00Z') },
    { connector: 'smsc', waiting: 45, oldestWaitingAt: new Date('2026-11-21T08:03:00Z') },
  ]);
});

test('a scheduled message waits since its time has come', async () => {
  const { knex } = opened;
  await queued('2026-11-21T08:03:00Z');
  await knex('requests').update({ send_at: '2026-11-22T09:00:00Z' });
  const since = async () => (await readWaiting(knex, lanes))[0]?.oldestWaitingAt;
  expect(await since()).toEqual(new Date('2026-11-22T09:00:00Z'));
  const [{ id: request_id }] = await knex('requests');
  const [{ id }] = await knex('messages')
    .insert({
      ...{ request_id, team_id: 'acme', position: 0, product: 'sms', channel: 'Safaricom' },
      ...{ phone: '+254711000000', content: '', units: 1, released_at: '2026-11-22T09:00:01Z' },
    })
    .returning('id');
  await knex('jobs').delete();
  await queued('2026-11-21T08:03:00Z', { messageIds: [id] });
  expect(await since()).toEqual(new Date('2026-11-22T09:00:01Z'));
});

test('a job that was postponed is as old as its request', async () => {
  await queued('2026-11-21T08:03:00Z', { placeMs: Date.now() - 1_000 });
  expect(await readWaiting(opened.knex, lanes)).toMatchObject([
    { oldestWaitingAt: new Date('2026-11-21T08:03:00Z') },
  ]);
});

test('the count ends at 10,000', async () => {
  await opened.knex.raw(
    `insert into jobs (queue, lane, priority, team_id, messages, data)
     select 'deliver', 'sms Safaricom', 2, 'acme', 1, '{}' from generate_series(1, 20000)`,
  );
  expect(await readWaiting(opened.knex, lanes)).toMatchObject([{ connector: 'smsc', waiting: 10_000 }]);
});
