/** Caps: exactly so many units of a team and its client are accepted in a day and a month, however many send at once. */
import { beforeEach, expect, test } from '@jest/globals';
import type { Cap, Plan } from '../model/plan.ts';
import { testDatabase } from '../platform/db/opened-testing.ts';
import { clearTables } from '../platform/db/testing.ts';
import { capReached } from './caps.ts';
import { commitPlans, type Outcome } from './commit.ts';
import { findCapped } from './commit-caps.ts';
import { planOfSms } from './plan-testing.ts';

const database = testDatabase();
beforeEach(() => clearTables(database.knex, 'cap_uses, requests, messages, jobs'));

const ofTeam: Cap = { holder: 'team', id: 't', period: 'month', most: 10 };
const ofClient: Cap = { holder: 'client', id: 'c', period: 'day', most: 6 };

const plan = (units: number, caps: Cap[] = [ofTeam, ofClient]) => planOfSms({ messages: [{ units }], caps });
const commit = (...plans: Plan[]) => commitPlans(database.knex, plans, 3_600);
/** The period whose cap was reached. */
const said = (outcomes: Outcome[]) =>
  outcomes.map((one) => (typeof one === 'object' && 'capped' in one ? one.capped.period : one));
const used = () =>
  database
    .knex('cap_uses')
    .orderBy('period')
    .pluck('used')
    .then((all) => all.map(Number));
const yesterday = () => database.knex.raw(`update cap_uses set began = began - 1 where period = 'day'`);

test('what exceeds a cap is refused, and takes nothing from what fits', async () => {
  expect(said(await commit(plan(4), plan(3), plan(2)))).toEqual(['accepted', 'day', 'accepted']);
  expect(await used()).toEqual([6, 6]);
  expect(said(await commit(plan(1)))).toEqual(['day']);
  expect(said(await commit(plan(5, [ofTeam]), plan(4, [ofTeam])))).toEqual(['month', 'accepted']);
  expect(await database.knex('requests')).toHaveLength(3);
});

test('the next day begins at 0, and the month goes on', async () => {
  await commit(plan(6));
  await yesterday();
  expect(said(await commit(plan(4), plan(2)))).toEqual(['accepted', 'month']);
  expect(await used()).toEqual([4, 10]);
});

test('the error says whose cap it is, and when the next period begins', async () => {
  await commit(plan(5));
  expect(await findCapped(database.knex, [ofTeam, ofClient], 1)).toEqual([]);
  const [day, ...others] = await findCapped(database.knex, [ofTeam, ofClient], 2);
  expect(others).toEqual([]);
  const { message, headers } = capReached(day ?? { ...ofTeam, seconds: 0 });
  expect(message).toBe('The cap of the client of 6 unit(s) per day is reached.');
  const left = 86_400 - Math.floor((Date.now() / 1_000) % 86_400);
  expect(Math.abs(Number(headers['Retry-After']) - left)).toBeLessThan(30);
});

test('a cap that is lowered below what was used takes nothing more, and one that is raised does', async () => {
  await commit(plan(5));
  expect(said(await commit(plan(1, [{ ...ofClient, most: 3 }])))).toEqual(['day']);
  expect(said(await commit(plan(9, [{ ...ofClient, most: 14 }])))).toEqual(['accepted']);
});

test('of many batches at once exactly the cap is accepted', async () => {
  const caps = [
    { ...ofTeam, most: 400 },
    { ...ofClient, most: 333 },
  ];
  const plans = () => Array.from({ length: 10 }, () => plan(1, caps));
  const batches = Array.from({ length: 64 }, () => commit(...plans()));
  const outcomes = said((await Promise.all(batches)).flat());
  expect(outcomes.filter((one) => one === 'accepted')).toHaveLength(333);
  expect(await used()).toEqual([333, 333]);
});
