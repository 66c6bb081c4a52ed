/** Several processes on one PostgreSQL are one service: one limit, one queue, and what is stuck can be seen. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createRandom } from '../../../src/partner/sandbox/random.ts';
import { phones, toMany } from '../../support/requests/sms.ts';
import { call, tokenFor } from '../../support/service/api.ts';
import { type Beside, startBeside } from '../../support/service/deployment.ts';
import { metric } from '../../support/service/metrics.ts';
import { describeOnPostgres } from '../../support/service/on-postgres.ts';
import { type Receiver, startReceiver } from '../../support/service/receiver.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { rowsOf, topUp, unbalancedAccounts, withStoredData } from '../../support/service/stored-data.ts';

const seed = Number(process.env.SEED);
const perSecond = 400;
const callersPerProcess = 8;

const onPostgres = describeOnPostgres('the embedded database serves one process');

let service: Service;
let other: Beside;
let token = '';

const send = (baseUrl: string, addresses: string[], more: object = {}) =>
  call(baseUrl, `/message/${service.demo.smsServiceId}`, { token, body: toMany(addresses, 'Habari', more) });

onPostgres('two processes that answer HTTP', () => {
  beforeAll(async () => {
    service = await startService({ LOG_LEVEL: 'info' });
    other = await startBeside(service, 'serve');
    token = await tokenFor(service.demo.baseUrl, service.demo);
    await withStoredData(service, (knex) => topUp(knex, service.demo.clientId, 100_000));
  });
  afterAll(async () => {
    await other?.stop();
    await service?.dispose();
  });

  test('each has health, readiness and metrics on a port of its own', async () => {
    for (const { metricsUrl } of [service, other]) await expectWatched(metricsUrl);
  });

  test(`SEED=${seed}: overloaded, they let ${perSecond} messages through in any 0.94 s, and the refused cost nothing`, async () => {
    const before = await unitsSpent();
    const accepted = await overload(createRandom(seed));
    for (const { sentMs } of accepted) {
      const within = accepted.filter((one) => one.sentMs >= sentMs && one.answeredMs <= sentMs + 940);
      expect(sum(within)).toBeLessThanOrEqual(perSecond);
    }
    expect((await unitsSpent()) - before).toBe(sum(accepted));
    await withStoredData(service, async (knex) => expect(await unbalancedAccounts(knex)).toEqual([]));
  });
});

onPostgres('a service whose worker is gone', () => {
  let api: Beside;
  let worker: Beside | undefined;
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await startReceiver();
    service = await startService();
    await service.stop();
    api = await startBeside(service, 'serve', { ALLOW_LOOPBACK_CALLBACKS: 'true' });
    token = await tokenFor(api.baseUrl, service.demo);
  });
  afterAll(async () => {
    receiver?.close();
    await worker?.stop();
    await api?.stop();
    await service?.dispose();
  });

  test('accepts messages, and its metrics show that they wait; a new worker delivers them', async () => {
    const callbackUrl = receiver.url('/receipts');
    expect((await send(api.baseUrl, phones(3), { receiptRequest: { callbackUrl } })).status).toBe(200);

    const first = await metric(api.metricsUrl, 'tarishi_oldest_queued_seconds');
    await delay(50);
    expect(await metric(api.metricsUrl, 'tarishi_oldest_queued_seconds')).toBeGreaterThan(first);
    expect(await metric(api.metricsUrl, 'tarishi_delivery_jobs_open')).toBe(1);

    worker = await startBeside(service, 'work', { ALLOW_LOOPBACK_CALLBACKS: 'true' });
    await expectWatched(worker.metricsUrl);
    await receiver.received('/receipts', 3);
    expect(await metric(api.metricsUrl, 'tarishi_delivery_jobs_open')).toBe(0);
    expect(await worker.stop()).toBe(0);
    await withStoredData(service, async (knex) =>
      expect(await rowsOf(knex, 'select distinct state from messages')).toEqual([{ state: 'Delivered' }]),
    );
  });
});

/** `start`, `serve` and `work` alike. */
async function expectWatched(metricsUrl: string): Promise<void> {
  for (const path of ['/healthz', '/readyz']) expect((await fetch(`${metricsUrl}${path}`)).status).toBe(200);
  expect(await metric(metricsUrl, 'process_start_time_seconds')).toBeGreaterThan(0);
}

interface Passed {
  sentMs: number;
  answeredMs: number;
  messages: number;
}

/** Both processes at once, each caller as fast as responses arrive, until many were refused and three seconds' worth was not. */
async function overload(random: () => number): Promise<Passed[]> {
  const accepted: Passed[] = [];
  let refused = 0;
  const caller = async (baseUrl: string) => {
    while (refused < 20 || sum(accepted) < 3 * perSecond) {
      const messages = 1 + Math.floor(random() * 100);
      const sentMs = performance.now();
      const { status } = await send(baseUrl, phones(messages));
      if (status === 200) accepted.push({ sentMs, answeredMs: performance.now(), messages });
      else {
        expect(status).toBe(429);
        refused += 1;
      }
    }
  };
  await Promise.all(
    Array.from({ length: callersPerProcess }, () => [
      caller(service.demo.baseUrl),
      caller(other.baseUrl),
    ]).flat(),
  );
  return accepted;
}

function sum(passed: readonly Passed[]): number {
  return passed.reduce((total, { messages }) => total + messages, 0);
}

async function unitsSpent(): Promise<number> {
  const [row] = await withStoredData(service, (knex) =>
    rowsOf<{ units: number }>(
      knex,
      `select coalesce(-sum(units), 0)::integer as units from ledger_entries where reason = 'Debit'`,
    ),
  );
  return row?.units ?? 0;
}
