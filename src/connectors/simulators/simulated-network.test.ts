/** Simulated networks: what each number's last four digits lead to, and what the networks write down. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Product } from '../../model/plan.ts';
import type { Database } from '../../platform/db/knex.ts';
import { clearTables, openTestDatabase } from '../../platform/db/testing.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import type { OutboundMessage } from '../contract/connector.ts';
import { longLease } from '../contract/lease-testing.ts';
import { publishedScripts } from './published-scripts.ts';
import { createSimulatedNetwork } from './simulated-network.ts';

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase(process.env.DATABASE_URL);
});
afterAll(() => database.close());
beforeEach(() => clearTables(database.knex, 'simulated_bundles, simulated_reports'));

const message = (product: Product, suffix: string, id = '1'): OutboundMessage => ({
  id,
  product,
  channel: 'Safaricom',
  phone: `+25471100${suffix}`,
  sender: null,
  content: '1GB',
});
/** A network that has only its books from before. */
const network = (product: Product) =>
  createSimulatedNetwork({
    knex: database.knex,
    name: 'simulator',
    scriptOf: publishedScripts[product],
    trouble: { throttled: () => {} },
    namesMessages: product === 'chatapp',
    queried: product === 'data',
  });
const bundles = async () =>
  (await database.knex('simulated_bundles').orderBy('message_id')).map(({ message_id: id, times }) => [
    id,
    times,
  ]);
/** The reports that it owes, each with the seconds from now. */
async function owed(): Promise<string[]> {
  const { rows } = await database.knex.raw(
    `select (report ->> 'state') || ' ' || round(extract(epoch from due_at - service_now()))::integer as report
     from simulated_reports order by due_at, id`,
  );
  return rows.map(({ report }: { report: string }) => report);
}

const inResponse = (...states: string[]) => ({
  kind: 'accepted',
  ...(states.length === 0 ? {} : { reports: states }),
});
const rejected = (state: string) => ({ kind: 'rejected', state, reason: expect.any(String) });
const later = { kind: 'later', delaySeconds: expect.any(Number) };

testEvery<[product: Product, suffix: string, response: object, ...reports: string[]]>([
  ['sms', '0001', rejected('Failed')],
  ['sms', '0002', inResponse('AbsentSubscriber')],
  ['sms', '0003', inResponse('SenderBlacklisted')],
  ['sms', '0004', inResponse('SubscriberOptedOut')],
  ['sms', '0005', rejected('InvalidMsisdn')],
  ['sms', '0006', inResponse('DeliveryImpossible')],
  ['sms', '0007', inResponse('DeliveryUncertain')],
  ['sms', '0008', inResponse()],
  ['sms', '0009', inResponse(), 'Delivered 30'],
  ['sms', '0012', inResponse('Delivered')],
  ['sms', '4321', inResponse('Delivered')],
  ['chatapp', '0001', rejected('Failed')],
  ['chatapp', '0002', inResponse('Sent'), 'Failed 1'],
  ['chatapp', '0005', rejected('Failed')],
  ['chatapp', '0007', inResponse('Sent'), 'Uncertain 1'],
  ['chatapp', '0008', { kind: 'accepted', networkId: 'simulated.1' }],
  ['chatapp', '0009', inResponse('Sent'), 'Delivered 30', 'Read 32'],
  ['chatapp', '4321', inResponse('Sent'), 'Delivered 1', 'Read 3'],
])('%s to …%s', async (product, suffix, response, ...reports) => {
  await clearTables(database.knex, 'simulated_reports');
  expect(await network(product).send([message(product, suffix)], longLease)).toMatchObject([response]);
  expect(await owed()).toEqual(reports);
});

describe('an SMS', () => {
  test('to …0010 is throttled twice and then delivered, each message by itself', async () => {
    const { send } = network('sms');
    const responses = [];
    for (const id of ['1', '1', '2', '1', '2', '2'])
      responses.push(...(await send([message('sms', '0010', id)], longLease)));
    const delivered = inResponse('Delivered');
    expect(responses).toMatchObject([later, later, later, delivered, later, delivered]);
  });

  test('every message of a batch gets its own response, in order', async () => {
    const batch = ['0001', '4321', '0010', '0008'].map((suffix, index) =>
      message('sms', suffix, String(index + 1)),
    );
    const responses = await network('sms').send(batch, longLease);
    expect(responses.map(({ kind }) => kind)).toEqual(['rejected', 'accepted', 'later', 'accepted']);
    expect(await network('sms').send([], longLease)).toEqual([]);
  });
});

describe('a bundle', () => {
  const unknown = { kind: 'unknown' };
  test.each<[string, object, object]>([
    ['0001', rejected('Failed'), unknown],
    ['0004', rejected('Failed'), unknown],
    ['0005', rejected('InvalidMsisdn'), unknown],
    ['0006', rejected('InvalidDenomination'), unknown],
    ['0007', inResponse('Uncertain'), inResponse('Uncertain')],
    ['0008', inResponse(), inResponse()],
    ['0009', inResponse(), inResponse()],
    ['4321', inResponse('Delivered'), inResponse('Delivered')],
  ])('to …%s, and when its network is queried later', async (suffix, response, queried) => {
    expect(await network('data').send([message('data', suffix)], longLease)).toMatchObject([response]);
    expect(await network('data').ask?.([message('data', suffix)])).toEqual([queried]);
    expect(await bundles()).toEqual(queried === unknown ? [] : [['1', 1]]);
  });

  test('to …0010 is throttled twice and then given out, once', async () => {
    const { send } = network('data');
    const kinds = [];
    for (let tries = 0; tries < 3; tries += 1)
      kinds.push(...(await send([message('data', '0010')], longLease)).map(({ kind }) => kind));
    expect([kinds, await bundles()]).toEqual([['later', 'later', 'accepted'], [['1', 1]]]);
  });

  test('that is submitted twice is given out twice: the simulator does not prevent it', async () => {
    await network('data').send([message('data', '4321'), message('data', '4321', '2')], longLease);
    await network('data').send([message('data', '4321')], longLease);
    expect(await bundles()).toEqual([
      ['1', 2],
      ['2', 1],
    ]);
  });
});
