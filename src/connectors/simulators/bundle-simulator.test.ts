/** The simulated provider of bundles: what each number's last four digits lead to, and what it remembers. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Database } from '../../db/knex.ts';
import { openTestDatabase } from '../../db/testing.ts';
import type { OutboundMessage } from '../contract/connector.ts';
import { createBundleSimulator } from './bundle-simulator.ts';
import { createProvisionBook } from './bundle-simulator-repository.ts';

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase(process.env.DATABASE_URL);
});
afterAll(() => database.close());
beforeEach(() => database.knex('simulated_bundles').delete());

const bundle = (suffix: string, id = '1'): OutboundMessage => ({
  id,
  product: 'data',
  channel: 'Safaricom',
  phone: `+25471100${suffix}`,
  sender: null,
  content: '1GB',
});
/** A provider that has only its books from before. */
const provider = () => createBundleSimulator(createProvisionBook(database.knex));
const books = () => database.knex('simulated_bundles').select('reference', 'times').orderBy('reference');

const reported = (state: string, afterSeconds = 0) => ({
  kind: 'accepted',
  reports: [{ state, afterSeconds }],
});
const refused = (state: string) => ({ kind: 'rejected', state, reason: expect.any(String) });
const unknown = { kind: 'unknown' };

describe('a bundle', () => {
  test.each<[string, object, object]>([
    ['0001', refused('Failed'), unknown],
    ['0002', refused('Failed'), unknown],
    ['0003', refused('Failed'), unknown],
    ['0004', refused('Failed'), unknown],
    ['0005', refused('InvalidMsisdn'), unknown],
    ['0006', refused('InvalidDenomination'), unknown],
    ['0007', reported('Uncertain'), reported('Uncertain')],
    ['0008', { kind: 'accepted' }, { kind: 'accepted' }],
    ['0009', reported('Delivered', 30), reported('Delivered', 30)],
    ['4321', reported('Delivered'), reported('Delivered')],
  ])('to …%s, and when asked about it later', async (suffix, outcome, asked) => {
    expect(await provider().send([bundle(suffix)])).toMatchObject([outcome]);
    expect(await provider().ask?.([bundle(suffix)])).toMatchObject([asked]);
    expect(await books()).toEqual(asked === unknown ? [] : [{ reference: '1', times: 1 }]);
  });

  test('to …0010 is throttled twice and then given out, once', async () => {
    const { send } = provider();
    const kinds = [];
    for (let tries = 0; tries < 3; tries += 1)
      kinds.push(...(await send([bundle('0010')])).map(({ kind }) => kind));
    expect([kinds, await books()]).toEqual([['later', 'later', 'accepted'], [{ reference: '1', times: 1 }]]);
  });
});

test('what it is told twice it gives out twice: it is not the one that takes care', async () => {
  await provider().send([bundle('4321'), bundle('4321', '2')]);
  await provider().send([bundle('4321')]);
  expect(await books()).toEqual([
    { reference: '1', times: 2 },
    { reference: '2', times: 1 },
  ]);
});
