/** Metrics of delivery jobs that wait too long or that no worker finishes. */
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { clearTables } from '../platform/db/testing.ts';
import { valuesOf } from '../platform/metrics-testing.ts';
import { watchJobs } from './backlog.ts';
import { leaseSeconds } from './job.ts';
import { claimAll, openedQueue } from './testing.ts';

const opened = openedQueue();
const registry = new Registry();
beforeAll(() => watchJobs(registry, opened.knex));
beforeEach(() => clearTables(opened.knex, 'requests, jobs'));

const metrics = () => valuesOf(registry);
/** A request accepted some time ago, and a job for its messages. */
const queued = (ageSeconds: number, delaySeconds = 0) =>
  opened.insertRequest(opened.knex.raw("now() - ? * interval '1 second'", [ageSeconds]), {}, delaySeconds);

test('without work all are zero', async () => {
  expect(new Set(Object.values(await metrics()))).toEqual(new Set([0]));
});

test('the oldest request that waits, however often it was postponed', async () => {
  await queued(5);
  await queued(300, 60);
  const { oldest_queued_seconds, delivery_jobs_open } = await metrics();
  expect(Math.floor((oldest_queued_seconds ?? 0) / 100)).toBe(3);
  expect(delivery_jobs_open).toBe(1);
});

test('messages that their connector did not take for some seconds', async () => {
  await queued(300);
  expect((await metrics()).delivery_jobs_waiting).toBe(0);
  await opened.knex.raw("update jobs set due_at = due_at - interval '6 seconds'");
  expect(await metrics()).toMatchObject({ delivery_jobs_open: 1, delivery_jobs_waiting: 1 });
});

test('a job that its worker never finished', async () => {
  await queued(5);
  await claimAll(opened.queue);
  expect((await metrics()).delivery_leases_expired).toBe(0);
  await opened.knex.raw("update jobs set due_at = due_at - ? * interval '1 second'", [leaseSeconds + 1]);
  expect((await metrics()).delivery_leases_expired).toBe(1);
});

test('a scheduled message whose time has come, and that nobody released', async () => {
  const { knex } = opened;
  const message = {
    ...{ request_id: randomUUID(), team_id: 'team', position: 0, product: 'sms', channel: 'Safaricom' },
    ...{ phone: '+254711000000', content: '', units: 1, state: 'Scheduled' },
  };
  await knex('messages').insert({ ...message, send_at: knex.raw("now() + interval '1 hour'") });
  expect((await metrics()).oldest_scheduled_due_seconds).toBe(0);
  await knex('messages').insert({ ...message, send_at: knex.raw("now() - interval '1 hour'") });
  expect(Math.floor(((await metrics()).oldest_scheduled_due_seconds ?? 0) / 100)).toBe(36);
  await knex('messages').delete();
});

test('finished jobs are not counted', async () => {
  await queued(300);
  const jobs = await claimAll(opened.queue);
  await opened.knex.transaction((trx) => opened.queue.complete(trx, jobs));
  expect(await metrics()).toMatchObject({ oldest_queued_seconds: 0, delivery_jobs_open: 0 });
});
