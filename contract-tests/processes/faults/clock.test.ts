/** The database's clock is set forward or back by an hour under load: nothing waits until it has caught up. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { createRandom } from '../../../src/partner/sandbox/random.ts';
import { type Database, openDatabase } from '../../../src/platform/db/knex.ts';
import { randomRequest } from '../../support/requests/fault-load.ts';
import { type DemoClient, startDemoClient } from '../../support/service/demo-client.ts';
import { type Beside, startBeside } from '../../support/service/deployment.ts';
import { metric } from '../../support/service/metrics.ts';
import { describeOnPostgres } from '../../support/service/on-postgres.ts';
import { type Receiver, startReceiver } from '../../support/service/receiver.ts';
import { rowsOf, topUp, unbalancedAccounts } from '../../support/service/stored-data.ts';

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
const callers = 8;
const stepMinutes = 60;
const finalWithinMs = 60_000;

const onPostgres = describeOnPostgres('the clock of an embedded database cannot be reached from outside');

let receiver: Receiver;
let demo: DemoClient;
let database: Database;
let worker: Beside;

onPostgres('the clock of PostgreSQL', () => {
  beforeAll(async () => {
    receiver = await startReceiver();
    const settings = { RATE_LIMIT_PER_SECOND: '1000000', ALLOW_LOOPBACK_CALLBACKS: 'true' };
    demo = await startDemoClient(settings);
    worker = await startBeside(demo.service, 'work', settings);
    database = await openDatabase(
      { databaseUrl: demo.service.databaseUrl, dataDirectory: demo.service.dataDirectory, poolSize: 2 },
      pino({ level: 'silent' }),
      (error) => {
        throw error;
      },
    );
    await topUp(database.knex, demo.demo.clientId, 1_000_000);
  }, 120_000);
  afterAll(async () => {
    await worker?.stop();
    await database?.close();
    await demo?.service.dispose();
    receiver?.close();
  });

  test.each([
    ['back', -stepMinutes],
    ['forward', 0],
  ])(
    `SEED=${seed}: set %s by an hour under load, all is final and acknowledged within a minute`,
    async (_way, minutes) => {
      const { knex } = database;
      const random = createRandom(seed);
      let over = false;
      // Some receipts wait for their second attempt when the clock is set.
      receiver.replies.set('/receipts', (nth) => ({ status: nth % 5 === 0 ? 503 : 200 }));
      const load = Promise.all(Array.from({ length: callers }, () => sendUntil(() => over, random)));
      await delay(2_000);
      await setClock(knex, minutes);
      receiver.replies.clear();
      await delay(2_000);
      over = true;
      expect((await load).flat().length).toBeGreaterThan(callers);
      const limitMs = performance.now() + finalWithinMs;
      while ((await open(knex)) > 0 && performance.now() < limitMs) {
        expect(await metric(worker.metricsUrl, 'tarishi_oldest_queued_seconds')).toBeGreaterThanOrEqual(0);
        await delay(500);
      }
      expect(await open(knex)).toBe(0);
      expect(await unbalancedAccounts(knex)).toEqual([]);
    },
    180_000,
  );
});

function setClock(knex: Knex, minutes: number) {
  return knex.raw(`create or replace function service_now() returns timestamptz language sql stable parallel safe
    as $body$ select now() + interval '${minutes} minutes' $body$`);
}

/** Messages without a final state, and receipts that are not acknowledged. */
async function open(knex: Knex): Promise<number> {
  const [row] = await rowsOf<{ open: number }>(
    knex,
    `select (select count(*) from messages where state in ('Queued', 'Sending', 'Submitted'))::integer
       + (select count(*) from receipts where state = 'Waiting')::integer as open`,
  );
  return row?.open ?? 0;
}

/** One caller; returns the statuses of its requests. */
async function sendUntil(over: () => boolean, random: () => number): Promise<number[]> {
  const statuses: number[] = [];
  const receiptRequest = { correlator: 'load', callbackUrl: receiver.url('/receipts') };
  while (!over()) {
    const { status } = await demo.post(
      `/message/${demo.demo.smsServiceId}`,
      randomRequest(random, receiptRequest).body,
    );
    expect([200, 429]).toContain(status);
    statuses.push(status);
  }
  return statuses;
}
