/** Several workers on one PostgreSQL, one of them killed: each phone gets one bundle and one SMS, and not two. */
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  bundleToEach,
  type DataService,
  defaultService,
  startData,
} from '../../support/requests/disbursement.ts';
import { phones } from '../../support/requests/sms.ts';
import { type Beside, startBeside } from '../../support/service/deployment.ts';
import { describeOnPostgres } from '../../support/service/on-postgres.ts';
import { type Receiver, startReceiver } from '../../support/service/receiver.ts';
import { rowsOf, unbalancedAccounts, withStoredData } from '../../support/service/stored-data.ts';

const onPostgres = describeOnPostgres('the embedded database serves one process');

const recipients = phones(300);
const repeats = 3;
const perRequest = 50;

let data: DataService;
let receiver: Receiver;
let workers: Beside[] = [];

onPostgres('three workers', () => {
  beforeAll(async () => {
    receiver = await startReceiver();
    data = await startData({ RATE_LIMIT_PER_SECOND: '1000000', LOG_LEVEL: 'info' });
    const settings = { ALLOW_LOOPBACK_CALLBACKS: 'true' };
    workers = await Promise.all([1, 2].map(() => startBeside(data.service, 'work', settings)));
  }, 120_000);
  afterAll(async () => {
    for (const worker of workers) await worker.stop();
    await data?.service.dispose();
    receiver?.close();
  });

  test(`each of ${recipients.length} phones is asked for ${repeats} times in one day`, async () => {
    await Promise.all(requests().map(send));
    await receiver.received('/receipts', 1);
    await killWorker();
    const bundles = recipients.length * repeats;
    await different(bundles + recipients.length);

    await withStoredData(data.service, async (knex) => {
      expect(await rowsOf(knex, 'select message_id, times from simulated_bundles where times > 1')).toEqual(
        [],
      );
      expect(await rowsOf(knex, statesOfPhones)).toEqual([
        { product: 'data', states: ['Delivered', 'Duplicated', 'Duplicated'], phones: recipients.length },
        { product: 'sms', states: ['Cancelled', 'Cancelled', 'Delivered'], phones: recipients.length },
      ]);
      expect(await unbalancedAccounts(knex)).toEqual([]);
    });
  }, 300_000);
});

/** How many phones ended in the same states. */
const statesOfPhones = `
  select product, states, count(*)::integer as phones
  from (select product, phone, array_agg(state order by state) as states from messages group by 1, 2) as one
  group by 1, 2 order by 1`;

/** All phones in requests of fifty, as often as they are asked for. */
function requests(): string[][] {
  const once = Array.from({ length: recipients.length / perRequest }, (_, index) =>
    recipients.slice(index * perRequest, (index + 1) * perRequest),
  );
  return Array.from({ length: repeats }, () => once).flat();
}

async function send(some: readonly string[]): Promise<void> {
  const disbursements = some.map((phone) => ({ phone, denomination: '1GB', message: 'Enjoy' }));
  const receiptRequest = { correlator: 'daily', callbackUrl: receiver.url('/receipts') };
  const answer = await data.disburse(
    bundleToEach(disbursements, { messaging: defaultService, receiptRequest }),
    {
      campaignId: data.demo.campaigns.daily,
    },
  );
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('requestId')]);
}

/** SIGKILL for one of them. Its bundles are free when its lease of a minute is over, its receipts at once. */
async function killWorker(): Promise<void> {
  const [worker] = workers;
  if (worker === undefined) throw new Error('there is no worker');
  const ended = once(worker.process, 'exit');
  worker.process.kill('SIGKILL');
  await ended;
  // Past those that the others are at: waiting for several of theirs would be a deadlock.
  await withStoredData(data.service, (knex) =>
    knex.raw(`update receipts set next_attempt_at = now()
      where id in (select id from receipts where claimed_by is not null for update skip locked)`),
  );
}

/** Waits until this many different receipts have come. */
async function different(count: number): Promise<void> {
  const ids = () => new Set(receiver.on('/receipts').map(({ headers }) => headers['webhook-id'])).size;
  while (ids() < count) await receiver.received('/receipts', receiver.on('/receipts').length + 1);
  expect(ids()).toBe(count);
}
