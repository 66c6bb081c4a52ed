/** Stuck work is visible: what waits too long, what nobody finishes, and what was given up are metrics. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { Database } from '../db/knex.ts';
import { openTestDatabase } from '../db/testing.ts';
import { leaseSeconds, type Queue, startQueue } from '../queue/queue.ts';
import { watchBacklog } from './backlog.ts';
import { originKeyOf } from './callback/callback-url.ts';

let database: Database;
let queue: Queue;
const registry = new Registry();

beforeAll(async () => {
  database = await openTestDatabase(process.env.DATABASE_URL);
  queue = await startQueue(database, pino({ level: 'silent' }), false);
  watchBacklog(registry, database.knex);
});
afterAll(async () => {
  await queue.stop();
  await database.close();
});
beforeEach(() => database.knex.raw('truncate requests, receipts, receipt_origins; delete from pgboss.job'));

async function metrics(): Promise<Record<string, number>> {
  const lines = (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', value] = line.split(' ');
      return [name.replace('tarishi_', ''), Number(value)];
    }),
  );
}

/** A request accepted some time ago, and a job for its messages. */
async function queued(ageSeconds: number, delaySeconds = 0): Promise<void> {
  const id = randomUUID();
  await database.knex('requests').insert({
    id,
    team_id: 'team',
    client_id: 'client',
    operation: 'sendSms',
    resource_id: 'service',
    sender: 'TARISHI',
    created_at: database.knex.raw("now() - ? * interval '1 second'", [ageSeconds]),
  });
  await database.knex.transaction((trx) =>
    queue.insert(trx, 'deliver', [{ requestIds: [id], channel: 'Safaricom', product: 'sms' }], delaySeconds),
  );
}

async function receipt(state: string, dueSeconds: number, origin = 'https://one.example'): Promise<void> {
  await database.knex('receipts').insert({
    id: randomUUID(),
    request_id: randomUUID(),
    message_id: 1,
    team_id: 'team',
    client_id: 'client',
    url: `${origin}/`,
    origin_key: originKeyOf(origin),
    body: '{}',
    state,
    next_attempt_at: database.knex.raw("now() - ? * interval '1 second'", [dueSeconds]),
  });
}

test('without work all are zero', async () => {
  expect(new Set(Object.values(await metrics()))).toEqual(new Set([0]));
});

describe('delivery', () => {
  test('the oldest request that waits, however often it was postponed', async () => {
    await queued(5);
    await queued(300, 60);
    const { oldest_queued_seconds, delivery_jobs_open } = await metrics();
    expect(Math.floor((oldest_queued_seconds ?? 0) / 100)).toBe(3);
    expect(delivery_jobs_open).toBe(1);
  });

  test('what waits apart from the queue', async () => {
    await queued(300);
    await database.knex.raw(
      `insert into waiting_jobs (product, channel, request_ids)
       select 'sms', 'Safaricom', array[id] from requests; delete from pgboss.job`,
    );
    const { oldest_queued_seconds, delivery_jobs_open, delivery_jobs_waiting } = await metrics();
    expect(Math.floor((oldest_queued_seconds ?? 0) / 100)).toBe(3);
    expect([delivery_jobs_open, delivery_jobs_waiting]).toEqual([0, 1]);
    await database.knex('waiting_jobs').delete();
  });

  test('a job that its worker never finished', async () => {
    await queued(5);
    await queue.take('deliver', 1);
    expect((await metrics()).delivery_leases_expired).toBe(0);
    await database.knex.raw("update pgboss.job set started_on = started_on - ? * interval '1 second'", [
      leaseSeconds + 1,
    ]);
    expect((await metrics()).delivery_leases_expired).toBe(1);
  });

  test('what is done is no backlog', async () => {
    await queued(300);
    const jobs = await queue.take('deliver', 1);
    await database.knex.transaction((trx) => queue.complete(trx, 'deliver', jobs));
    expect(await metrics()).toMatchObject({ oldest_queued_seconds: 0, delivery_jobs_open: 0 });
  });
});

describe('receipts', () => {
  test('those that wait, those that were given up, and how long the first of them is due', async () => {
    await receipt('Pending', 200);
    await receipt('Pending', -60);
    await receipt('Exhausted', 5_000);
    await receipt('Delivered', 9_000);
    const found = await metrics();
    expect(found).toMatchObject({ receipts_pending: 2, receipts_exhausted: 1 });
    expect(Math.floor((found.oldest_receipt_due_seconds ?? 0) / 100)).toBe(2);
  });

  test('of a parked origin are waited for, and its parking is seen', async () => {
    await receipt('Pending', 200);
    await database.knex('receipt_origins').insert({
      team_id: 'team',
      origin_key: originKeyOf('https://one.example'),
      origin: 'https://one.example',
      failures_in_a_row: 20,
      parked_until: database.knex.raw("now() + interval '1 minute'"),
    });
    expect(await metrics()).toMatchObject({
      receipt_origins_parked: 1,
      receipts_pending: 1,
      oldest_receipt_due_seconds: 0,
    });
  });
});
