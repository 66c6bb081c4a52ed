/** Mixed load on one PostgreSQL, from several processes: no transaction ends in a deadlock. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Knex } from 'knex';
import { pino } from 'pino';
import type { Management } from '../../../src/manage/management.ts';
import { topUp } from '../../../src/manage/units/accounts.ts';
import { accountName } from '../../../src/model/account.ts';
import type { Product } from '../../../src/model/plan.ts';
import { createRandom } from '../../../src/partner/sandbox/random.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { type Database, openDatabase } from '../../../src/platform/db/knex.ts';
import { sized } from '../../../src/platform/sized-testing.ts';
import {
  bundleToEach,
  type DataService,
  defaultService,
  startData,
} from '../../support/requests/disbursement.ts';
import { randomRequest } from '../../support/requests/fault-load.ts';
import { call } from '../../support/service/api.ts';
import { type Beside, startBeside } from '../../support/service/deployment.ts';
import { describeOnPostgres } from '../../support/service/on-postgres.ts';
import { type Receiver, startReceiver } from '../../support/service/receiver.ts';
import { rowsOf, unbalancedAccounts, withStoredData } from '../../support/service/stored-data.ts';

/** Ten minutes find cycles that half a minute may not meet. */
const seconds = Number(process.env.DEADLOCK_SECONDS ?? sized(3, 15));
const seed = Number(process.env.SEED);
const callers = 24;

const onPostgres = describeOnPostgres('the embedded database has one session');

let receiver: Receiver;
let data: DataService;
let database: Database;
let besides: Beside[] = [];

onPostgres('two processes that accept and three that deliver', () => {
  beforeAll(async () => {
    receiver = await startReceiver();
    const settings = {
      RATE_LIMIT_PER_SECOND: '1000000',
      ALLOW_LOOPBACK_CALLBACKS: 'true',
      LOG_LEVEL: 'info',
    };
    data = await startData(settings);
    besides = await Promise.all(
      (['serve', 'work', 'work'] as const).map((command) => startBeside(data.service, command, settings)),
    );
    database = await openDatabase(
      { databaseUrl: data.service.databaseUrl, dataDirectory: data.service.dataDirectory, poolSize: 4 },
      pino({ level: 'silent' }),
      (error) => {
        throw error;
      },
    );
  });
  afterAll(async () => {
    await Promise.all(besides.map((beside) => beside.stop()));
    await database?.close();
    await data?.service.dispose();
    receiver?.close();
  });

  test(
    `SEED=${seed}: ${seconds} s of SMS, bundles, refused ones, accompanying SMS and top-ups: no deadlock, no unit lost`,
    async () => {
      const random = createRandom(seed);
      const endsMs = performance.now() + seconds * 1_000;
      const topping = topUpUntil(() => performance.now() >= endsMs);
      const sent = await Promise.all(Array.from({ length: callers }, () => sendUntil(endsMs, random)));
      await topping;
      await untilFinal(database.knex);
      // A process tells the server's statistics what it met when its sessions end.
      await Promise.all(besides.map((beside) => beside.stop()));
      await data.service.stop();
      await withStoredData(data.service, async (knex) => {
        expect(await unbalancedAccounts(knex)).toEqual([]);
        expect(
          await rowsOf(
            knex,
            `select count(*)::integer as refunds from ledger_entries where reason = 'Refund'`,
          ),
        ).not.toEqual([{ refunds: 0 }]);
        expect(sent.flat().length).toBeGreaterThan(callers);
        expect(
          await rowsOf(
            knex,
            'select deadlocks::integer from pg_stat_database where datname = current_database()',
          ),
        ).toEqual([{ deadlocks: 0 }]);
      });
    },
    (seconds + 180) * 1_000,
  );
});

/** Delivered, rejected for its number, rejected for its denomination, not delivered, throttled at first. */
const suffixes = ['4321', '0005', '0006', '0001', '0010'];
const denominations = ['100MB', '1GB'];

function randomDisbursement(random: () => number, receiptRequest: object): object {
  const one = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;
  const disbursements = Array.from({ length: 1 + Math.floor(random() * 6) }, (_, index) => ({
    phone: `+254${one(['711', '733'])}${index}${Math.floor(random() * 10)}${one(suffixes)}`,
    denomination: one(denominations),
    ...(random() < 0.7 ? { message: 'Enjoy' } : {}),
  }));
  return bundleToEach(disbursements, { messaging: defaultService, receiptRequest });
}

/** One caller; returns the statuses of its requests. */
async function sendUntil(endsMs: number, random: () => number): Promise<number[]> {
  const { demo, token } = data;
  const statuses: number[] = [];
  const receiptRequest = { correlator: 'load', callbackUrl: receiver.url('/receipts') };
  const baseUrls = [demo.baseUrl, besides[0]?.baseUrl ?? demo.baseUrl];
  while (performance.now() < endsMs) {
    const baseUrl = baseUrls[Math.floor(random() * baseUrls.length)] ?? demo.baseUrl;
    const [path, body] =
      random() < 0.5
        ? [`/message/${demo.smsServiceId}`, randomRequest(random, receiptRequest).body]
        : [`/data/${demo.campaigns.open}`, randomDisbursement(random, receiptRequest)];
    const { status, text } = await call(baseUrl, path, { token, body });
    // Short of units for a moment, or more than the service can take.
    if (![200, 400, 429].includes(status)) throw new Error(`${status}: ${text}`);
    statuses.push(status);
  }
  return statuses;
}

/** Adds units to one account after the other, as an operator's command does. */
async function topUpUntil(over: () => boolean): Promise<void> {
  const accounts: { team_id: string; product: Product; variant: string }[] = await database.knex('accounts');
  const management: Management = {
    knex: database.knex,
    clock: systemClock,
    actor: { kind: 'command line', name: 'deadlocks' },
    team: undefined,
    trustedIssuers: [],
    scopes: () => [],
    secrets: () => Promise.reject(new Error('a top-up needs no secrets')),
  };
  while (!over())
    for (const { team_id: team, product, variant } of accounts) {
      await topUp(management, { team, ...accountName(product, variant), units: 50 });
      await delay(2);
    }
}

async function untilFinal(knex: Knex): Promise<void> {
  const open = `select id from messages where state in ('Held', 'Queued', 'Sending', 'Submitted') limit 1`;
  while ((await rowsOf(knex, open)).length > 0) await delay(200);
}
