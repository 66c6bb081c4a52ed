/** Which accounts have less left than a day takes. */
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { testDatabase } from '../platform/db/opened-testing.ts';
import { clearTables } from '../platform/db/testing.ts';
import { addEntry, lockAccount } from './repository.ts';
import { listNearEmpty, noteUse } from './use-repository.ts';

const database = testDatabase();
beforeAll(async () => {
  await database.knex('teams').insert(['acme', 'other'].map((id) => ({ id, name: id })));
});
beforeEach(() => clearTables(database.knex, 'accounts, account_use'));

const topUp = (teamId: string, units: number) =>
  database.knex.transaction(async (trx) => {
    const account = await lockAccount(trx, { teamId, product: 'sms', variant: '' });
    await addEntry(trx, account, { units, reason: 'TopUp', reference: null, note: null });
  });
/** As messages do: negative for refunds. */
const spend = (team_id: string, units: number) =>
  database.knex('accounts').where({ team_id }).decrement('balance', units);
const hoursPass = (hours: number) =>
  database.knex.raw(`update account_use set hour = hour - ? * interval '1 hour'`, [hours]);
const nearEmpty = async (team?: string) =>
  (await listNearEmpty(database.knex, team, 10)).map(({ teamId, balance, usedInDay }) => [
    teamId,
    balance,
    usedInDay,
  ]);

test('an account is listed once it has less than it used in a day, the shortest-lived first', async () => {
  for (const team of ['acme', 'other']) await topUp(team, 1_000);
  await noteUse(database.knex);
  await spend('acme', 500);
  await spend('other', 400);
  expect(await nearEmpty()).toEqual([]);
  await spend('acme', 1);
  await spend('other', 300);
  expect(await nearEmpty()).toEqual([
    ['other', 300, 700],
    ['acme', 499, 501],
  ]);
  expect(await nearEmpty('acme')).toEqual([['acme', 499, 501]]);
});

test('top-ups are no use, refunds take it back, and what is older than a day does not count', async () => {
  await topUp('acme', 1_000);
  await spend('acme', 900);
  expect(await nearEmpty()).toEqual([['acme', 100, 900]]);
  await topUp('acme', 500);
  await spend('acme', -400);
  expect(await nearEmpty()).toEqual([]);
  await spend('acme', 900);
  await noteUse(database.knex);
  await hoursPass(24);
  await noteUse(database.knex);
  expect(await nearEmpty()).toEqual([]);
  await spend('acme', 51);
  expect(await nearEmpty()).toEqual([['acme', 49, 51]]);
});

test('the notes of 25 hours are kept, one an hour', async () => {
  await topUp('acme', 1);
  for (let hour = 0; hour < 30; hour += 1) {
    await noteUse(database.knex);
    await noteUse(database.knex);
    await hoursPass(1);
  }
  expect((await database.knex('account_use')).length).toBeLessThanOrEqual(26);
});
