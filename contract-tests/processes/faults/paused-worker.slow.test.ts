/** Four workers, of which one stands still for longer than its lease and comes back to jobs that others have. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Knex } from 'knex';
import { pino } from 'pino';
import {
  type Received,
  type Stub,
  type StubAnswer,
  startStub,
} from '../../../src/connectors/http/provider-testing.ts';
import { startingLimitMs } from '../../../src/connectors/runtime/concurrently.ts';
import { systemTimers } from '../../../src/connectors/smpp/session/timers.ts';
import { createRandom } from '../../../src/partner/sandbox/random.ts';
import { listenAsSmsc, type Smsc } from '../../../src/partner/sandbox/smsc/smsc.ts';
import { sized } from '../../../src/platform/sized-testing.ts';
import { addConnector } from '../../support/prepared/connectors.ts';
import type { Prepared } from '../../support/prepared/data.ts';
import { bundleToMany, type DataService, startData } from '../../support/requests/disbursement.ts';
import { phones, toEach } from '../../support/requests/sms.ts';
import { call } from '../../support/service/api.ts';
import { type Beside, startBeside } from '../../support/service/deployment.ts';
import { describeOnPostgres } from '../../support/service/on-postgres.ts';
import { type Receiver, startReceiver } from '../../support/service/receiver.ts';
import { rowsOf, topUp, unbalancedAccounts, withStoredData } from '../../support/service/stored-data.ts';

const trials = Number(process.env.STALE_TRIALS ?? sized(1, 2));
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
const random = createRandom(seed);
const workerCount = 4;
const window = 10;
/** SMS, and as many bundles. */
const perTrial = 60;
const trialLimitMs = 90_000;
const leaseLost = 'a lease was over before its job was done';

const onPostgres = describeOnPostgres('the embedded database serves one process');

let smsc: Smsc;
let provider: Stub;
let receiver: Receiver;
let data: DataService;
let api: Beside;
let workers: Beside[] = [];

/** How often the SMSC took each text, and the provider gave each bundle. */
const taken = new Map<string, number>();
const given = new Map<string, number>();
let onHandOver = () => {};
/** Networks respond when it resolves. */
let networks: Promise<void> = Promise.resolve();

const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);

async function answerOfNetwork(): Promise<void> {
  await delay(10 + random() * 30);
  await networks;
}

async function provide({ method, url, body }: Received): Promise<StubAnswer> {
  const asked = new URLSearchParams(url.split('?')[1]).get('externalReference') ?? '';
  const reference: string = method === 'POST' ? body.externalReference : asked;
  if (method === 'POST') count(given, reference);
  onHandOver();
  await answerOfNetwork();
  if (!given.has(reference)) return { status: 404 };
  return {
    status: 200,
    body: { transactionId: `T-${reference}`, externalReference: reference, status: 'SUCCESSFUL' },
  };
}

onPostgres('four workers', () => {
  beforeAll(async () => {
    receiver = await startReceiver();
    provider = await startStub(provide);
    smsc = await listenAsSmsc({
      host: '127.0.0.1',
      port: 0,
      timers: systemTimers,
      logger: pino({ level: 'silent' }),
      admit: () => 0,
      answer: async ({ text }) => {
        count(taken, text.toString('latin1'));
        onHandOver();
        await answerOfNetwork();
        return { status: 0, report: { state: 'DELIVRD', error: '000', afterMs: 0 } };
      },
    });
    data = await startData({ RATE_LIMIT_PER_SECOND: '1000000' }, addNetworks);
    await data.service.stop();
    const settings = { ALLOW_LOOPBACK_CALLBACKS: 'true' };
    api = await startBeside(data.service, 'serve', settings);
    workers = await Promise.all(
      Array.from({ length: workerCount }, () => startBeside(data.service, 'work', settings)),
    );
  }, 180_000);
  afterAll(async () => {
    for (const worker of workers) await worker.kill();
    await api?.stop();
    await data?.service.dispose();
    await Promise.all([smsc?.close(), provider?.close()]);
    receiver?.close();
  });

  test(
    `SEED=${seed}: ${trials} times one stands still past its lease: nothing is lost, no bundle given twice, at most a window of SMS doubled`,
    async () => {
      await withStoredData(data.service, async (knex) => {
        for (let trial = 0; trial < trials; trial += 1) {
          await standStill(knex, trial);
          await untilFinal(knex);
        }
        const messages = trials * perTrial * 2;
        expect(await rowsOf(knex, 'select state, count(*)::integer from messages group by 1')).toEqual([
          { state: 'Delivered', count: messages },
        ]);
        expect([...given.values()].filter((times) => times > 1)).toEqual([]);
        expect([given.size, taken.size]).toEqual([trials * perTrial, trials * perTrial]);
        const doubled = [...taken.values()].reduce((sum, times) => sum + times - 1, 0);
        expect(doubled).toBeLessThanOrEqual(trials * window);
        expect(await rowsOf(knex, 'select count(*)::integer as receipts from receipts')).toEqual([
          { receipts: messages },
        ]);
        expect(await rowsOf(knex, `select id from ledger_entries where reason = 'Refund'`)).toEqual([]);
        expect(await unbalancedAccounts(knex)).toEqual([]);
        expect(await openJobs(knex)).toEqual([]);
      });
    },
    trials * trialLimitMs + 30_000,
  );
});

async function addNetworks(prepared: Prepared): Promise<void> {
  await addConnector(prepared, {
    name: 'provider',
    kind: 'bundles',
    settings: { baseUrl: provider.url, timeoutSeconds: 5 },
    secrets: { token: 'token', callbackSecret: 'secret' },
  });
  await addConnector(prepared, {
    name: 'smsc',
    kind: 'smpp',
    settings: { host: '127.0.0.1', port: smsc.port, systemId: 'tarishi', window, rate: 100_000 },
    secrets: { password: 'password' },
  });
  await prepared.knex('channels').update({ connector: 'smsc', bundle_connector: 'provider' });
  await topUp(prepared.knex, prepared.demo.clientId, 100_000);
}

/** One worker gets all the jobs, stands still in the middle of them, and comes back when others have them. */
async function standStill(knex: Knex, trial: number): Promise<void> {
  const [stale, ...others] = [
    ...workers.slice(trial % workerCount),
    ...workers.slice(0, trial % workerCount),
  ];
  if (stale === undefined) throw new Error('there is no worker');
  const warnings = stale.output().split(leaseLost).length;

  signal(others, 'SIGSTOP');
  const smsBefore = taken.size + Math.floor(random() * perTrial * 0.6);
  const bundlesBefore = given.size + Math.floor(random() * perTrial * 0.6);
  const moment = new Promise<void>((resolve) => {
    onHandOver = () => {
      if (taken.size > smsBefore && given.size > bundlesBefore) resolve();
    };
  });
  await sendAll(trial);
  await moment;
  signal([stale], 'SIGSTOP');
  // Else the test has lost its edge.
  expect((await openJobs(knex)).length).toBeGreaterThan(0);

  // For so long a worker relies on its lease; the rest of the minute is put forward.
  await delay(startingLimitMs + 1_000);
  await knex.raw("update jobs set due_at = due_at - interval '1 minute' where claimed");
  let answer = () => {};
  networks = new Promise((resolve) => {
    answer = resolve;
  });
  signal(others, 'SIGCONT');
  await until(async () => (await openJobs(knex)).some(({ again }) => again));
  signal([stale], 'SIGCONT');
  await until(async () => stale.output().split(leaseLost).length > warnings);
  answer();
}

function signal(some: readonly Beside[], name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const { process: child } of some) child.kill(name);
}

async function sendAll(trial: number): Promise<void> {
  const { demo, token } = data;
  const receiptRequest = { correlator: `trial-${trial}`, callbackUrl: receiver.url('/receipts') };
  const numbers = phones(perTrial, `+254711${trial % 10}0`);
  const messages = numbers.map((phone) => ({ phone, message: `message ${trial} to ${phone}` }));
  const bodies = [
    [`/data/${demo.campaigns.open}`, bundleToMany(numbers, '100MB', { receiptRequest })],
    [`/message/${demo.smsServiceId}`, toEach(messages, { receiptRequest })],
  ] as const;
  for (const [path, body] of bodies) {
    const answer = await call(api.baseUrl, path, { token, body });
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('requestId')]);
  }
}

/** Deliveries under way; `again`: not for the first time. */
function openJobs(knex: Knex): Promise<{ again: boolean }[]> {
  return rowsOf(knex, "select claims > 1 as again from jobs where queue = 'deliver' and claimed");
}

async function untilFinal(knex: Knex): Promise<void> {
  await until(async () => {
    const open = await rowsOf(knex, `select id from messages where state <> 'Delivered' limit 1`);
    return open.length === 0;
  });
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(50);
}
