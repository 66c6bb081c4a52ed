/** While nobody has opted out, a message costs no look-up; who opts out is found in time all the same. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { testDatabase } from '../../platform/db/opened-testing.ts';
import { mostRowsRead } from '../../platform/db/plan-testing.ts';
import { addOptOuts, createFindOptedOut, listOptOuts, removeOptOuts } from './opt-out-repository.ts';

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

let hashed: number;
const hashPhone = (number: string) => {
  hashed += 1;
  return `#${number}`;
};
const database = testDatabase();
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

test('the entries of a person are found under all their names, whatever else is stored', async () => {
  const { knex } = database;
  await knex.raw(
    `insert into opt_outs (phone_hash, product, target, source)
     select 'other ' || n, 'chatapp', 'ALL', 'Operator' from generate_series(1, 20000) n`,
  );
  const person = '0c0f8f6e-5b1f-4b51-9d61-2f7fd0dc6f5b';
  const names = ['#number', '#id'];
  await knex('person_names').insert(
    names.map((name) => ({ name_hash: name, person, kind: 'Number', connector: 'chat' })),
  );
  const entries = names.flatMap((name) =>
    ['sms', 'chatapp'].map((product) => ({ phone_hash: name, product, target: 'ALL', source: 'Operator' })),
  );
  await knex('opt_outs').insert(entries);
  const entriesOfAll = { product: 'chatapp', teamId: null, serviceId: null } as const;
  const list = (by: typeof knex) =>
    listOptOuts(by, { phoneHash: '#number' }, { after: undefined, limit: 100 });
  expect((await list(knex)).map(({ product }) => product)).toEqual(['chatapp', 'chatapp', 'sms']);
  const remove = (by: typeof knex) => removeOptOuts(by, ['#number'], entriesOfAll, (name) => name);
  // Whatever the planner knows of the tables.
  for (const isAnalyzed of [false, true]) {
    if (isAnalyzed) await knex.raw('analyze opt_outs, person_names');
    expect(await mostRowsRead(knex, 'opt_outs', list)).toBeLessThanOrEqual(4);
    expect(await mostRowsRead(knex, 'opt_outs', remove)).toBeLessThanOrEqual(8);
  }
  await knex('person_names').delete();
});
