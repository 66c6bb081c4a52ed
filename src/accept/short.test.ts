/** Accounts that are short: rejected by their current balance, in batches without other teams. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Plan } from '../model/plan.ts';
import { testDatabase } from '../platform/db/opened-testing.ts';
import type { Outcome } from './commit.ts';
import { commitLikelyShort } from './commit-likely-short.ts';
import { addAccount, planOfSms } from './plan-testing.ts';
import { createRouter } from './short.ts';

const statements: string[] = [];

const database = testDatabase();
beforeAll(async () => {
  database.knex.on('query', ({ sql }) => statements.push(sql));
});

const validitySeconds = 3_600;

const account = (balance: number) => addAccount(database.knex, balance);
const plan = (accountId: string, units: number, key?: string) =>
  planOfSms({ clientId: accountId, messages: [{ units, accountId }], key });

describe('plans that are likely to be short', () => {
  const commit = (plans: Plan[]) => commitLikelyShort(database.knex, plans, validitySeconds);

  test('are rejected by one query that locks nothing', async () => {
    const poor = [await account(0), await account(1)];
    statements.length = 0;
    const outcomes = await commit([...poor, '0'].map((id) => plan(id, 2)));
    expect(outcomes).toEqual([...poor, '0'].map((short) => ({ short })));
    expect(statements).toEqual([expect.stringMatching(/^select id, balance from accounts/)]);
  });

  test('are accepted as far as the balance goes, which may just have grown', async () => {
    const [poor, other] = [await account(3), await account(0)];
    const plans = [plan(poor, 2), plan(other, 1), plan(poor, 2), plan(poor, 1)];
    expect(await commit(plans)).toEqual(['accepted', { short: other }, { short: poor }, 'accepted']);
    await database.knex('accounts').where({ id: other }).update({ balance: 1 });
    expect(await commit([plan(other, 1)])).toEqual(['accepted']);
  });

  test('are repeats if their Idempotency-Key has a response', async () => {
    const poor = await account(1);
    expect(await commit([plan(poor, 1, 'k')])).toEqual(['accepted']);
    expect(await commit([plan(poor, 1, 'k'), plan(poor, 1, 'l')])).toEqual(['keyTaken', { short: poor }]);
  });
});

test('an account that was short has batches of its own, until 10 s later: then it may pay again', async () => {
  const ways: string[] = [];
  const way = (name: string, outcome: Outcome) => ({
    submit: async () => {
      ways.push(name);
      return outcome;
    },
  });
  const stopwatch = { nowMs: 0, elapsedMs: () => stopwatch.nowMs };
  const submit = createRouter(
    { common: way('common', { short: 'a' }), apart: way('apart', 'accepted') },
    stopwatch,
  );
  for (const accountId of ['a', 'a', 'b']) await submit(plan(accountId, 1));
  stopwatch.nowMs = 10_000;
  await submit(plan('a', 1));
  expect(ways).toEqual(['common', 'apart', 'common', 'common']);
});
