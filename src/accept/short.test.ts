/** Accounts that are short: rejected by their current balance, in batches without other teams. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Plan } from '../model/plan.ts';
import { createBatcher } from '../platform/concurrency/group-commit.ts';
import type { Database } from '../platform/db/knex.ts';
import { openTestDatabase } from '../platform/db/testing.ts';
import { commitPlans, type Outcome } from './commit.ts';
import { commitLikelyShort } from './commit-likely-short.ts';
import { addAccount, planOfSms } from './plan-testing.ts';
import { createRouter } from './short.ts';

let database: Database;
const statements: string[] = [];

beforeAll(async () => {
  database = await openTestDatabase(process.env.DATABASE_URL);
  database.knex.on('query', ({ sql }) => statements.push(sql));
});
afterAll(() => database.close());

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

describe('a flood of rejections for insufficient units', () => {
  test('is in one batch with other teams at most; all others commit at the first attempt', async () => {
    const [rich, poor] = [await account(1_000_000), await account(5)];
    const mixed: Plan[][] = [];
    const limits = { concurrency: 2, maxItems: 128, maxWeight: 800 };
    const common = createBatcher<Plan, Outcome>(
      (plans) => {
        if (plans.some(isOf(poor)) && plans.some(isOf(rich))) mixed.push([...plans]);
        return commitPlans(database.knex, plans, validitySeconds);
      },
      () => 1,
      limits,
    );
    const apart = createBatcher<Plan, Outcome>(
      (plans) => commitLikelyShort(database.knex, plans, validitySeconds),
      () => 1,
      { ...limits, concurrency: 1 },
    );
    const submit = createRouter({ common, apart }, { elapsedMs: () => 0 });
    await submit(plan(poor, 6));

    const send = async (accountId: string, units: number) => {
      const outcomes: Outcome[] = [];
      for (let n = 0; n < 15; n += 1) outcomes.push(await submit(plan(accountId, units)));
      return outcomes;
    };
    const senders = (id: string, units: number) => Array.from({ length: 8 }, () => send(id, units));
    const [poorOutcomes, richOutcomes] = await Promise.all([
      Promise.all(senders(poor, 6)),
      Promise.all(senders(rich, 1)),
    ]);
    expect(new Set(richOutcomes.flat())).toEqual(new Set(['accepted']));
    expect(poorOutcomes.flat()).toEqual(Array(120).fill({ short: poor }));
    expect(mixed).toEqual([]);
  });

  test('does not affect a team that pays again: 10 s later its account shares batches', async () => {
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
});

function isOf(account: string) {
  return (plan: Plan) => plan.messages.some(({ accountId }) => accountId === account);
}
