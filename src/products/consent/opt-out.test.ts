/** While nobody has opted out, a message costs no look-up; who opts out is found in time all the same. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import type { Database } from '../../platform/db/knex.ts';
import { openTestDatabase } from '../../platform/db/testing.ts';
import { addOptOuts, createFindOptedOut } from './opt-out-repository.ts';

const phone = '+254711000001';
const message = {
  id: '1',
  product: 'sms',
  phone,
  teamId: 'team',
  serviceId: 'shop',
  category: 'MARKETING',
} as const;
const everywhere = {
  product: 'sms',
  teamId: null,
  serviceId: null,
  target: 'ALL',
  source: 'Operator',
} as const;

let database: Database;
let hashed: number;
const hashPhone = (number: string) => {
  hashed += 1;
  return `#${number}`;
};
beforeAll(async () => {
  database = await openTestDatabase(process.env.DATABASE_URL);
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.knex('opt_outs').delete();
  hashed = 0;
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** Moves the process's stopwatch, on which nothing else here depends. */
const pass = (ms: number) => {
  const nowMs = performance.now() + ms;
  jest.spyOn(performance, 'now').mockReturnValue(nowMs);
};

test('of an empty list nothing is hashed, and an entry of this process counts at once', async () => {
  pass(60_000);
  const find = createFindOptedOut(database.knex, hashPhone);
  expect([await find([message]), hashed]).toEqual([new Set(), 0]);
  await addOptOuts(database.knex, [phone], everywhere, hashPhone);
  expect(await find([message])).toEqual(new Set(['1']));
});

test('an entry of another process counts after half a second', async () => {
  pass(120_000);
  const find = createFindOptedOut(database.knex, hashPhone);
  await find([message]);
  await database.knex('opt_outs').insert({
    ...{ phone, phone_hash: `#${phone}`, product: 'sms', target: 'ALL', source: 'Operator' },
  });
  pass(500);
  expect(await find([message])).toEqual(new Set(['1']));
});
