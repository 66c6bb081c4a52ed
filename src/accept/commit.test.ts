/** The accepting transaction against a real database and queue: whole plans, correct balances, single keys. */
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Plan } from '../model/plan.ts';
import { testDatabase } from '../platform/db/opened-testing.ts';
import { clearTables } from '../platform/db/testing.ts';
import { createQueue, type Queue } from '../queue/queue.ts';
import { claimAll } from '../queue/testing.ts';
import { commitPlans, type Outcome } from './commit.ts';
import { addAccount, planOfSms } from './plan-testing.ts';

let queue: Queue;

const database = testDatabase();
beforeAll(async () => {
  queue = createQueue(database.knex);
});
beforeEach(() => clearTables(database.knex, 'requests, messages, idempotency_keys, jobs'));

const commit = (plans: Plan[]) => commitPlans(database.knex, plans, 3_600);

const account = (balance: number) => addAccount(database.knex, balance);
const plan = (accountId: string, messages: number, units: number, key?: string) =>
  planOfSms({ messages: Array.from({ length: messages }, () => ({ units, accountId })), key });

async function count(sql: string, bindings: string[] = []): Promise<number> {
  const { rows } = await database.knex.raw(`select (${sql})::float8 as n`, bindings);
  return rows[0].n;
}

const balanceOf = (id: string) => count('select balance from accounts where id = ?', [id]);
const ledgerOf = (id: string) =>
  count('select coalesce(sum(units), 0) from ledger_entries where account_id = ?', [id]);

describe('a batch', () => {
  test('stores requests, messages, debits and jobs of all plans at once', async () => {
    const id = await account(100);
    expect(await commit([plan(id, 3, 2), plan(id, 1, 1)])).toEqual(['accepted', 'accepted']);
    expect(await count('select count(*) from requests')).toBe(2);
    expect(await count('select count(*) from messages')).toBe(4);
    expect([await balanceOf(id), await ledgerOf(id)]).toEqual([93, 93]);
    const jobs = await claimAll(queue);
    expect(jobs.flatMap(({ data }) => data.requestIds)).toHaveLength(2);
  });

  test('a plan that cannot pay does not affect others, and later ones may still fit', async () => {
    const poor = await account(5);
    const rich = await account(100);
    const plans = [plan(poor, 1, 3), plan(poor, 1, 3), plan(rich, 1, 1), plan(poor, 1, 2)];
    expect(await commit(plans)).toEqual(['accepted', { short: poor }, 'accepted', 'accepted']);
    expect([await balanceOf(poor), await balanceOf(rich)]).toEqual([0, 99]);
    expect(await count('select count(*) from requests')).toBe(3);
    expect(await count('select count(*) from messages')).toBe(3);
  });

  test('an account that does not exist has no units', async () => {
    expect(await commit([plan('0', 1, 1)])).toEqual([{ short: '0' }]);
    expect(await count('select count(*) from messages')).toBe(0);
  });

  test('the database rejects changes of a ledger entry', async () => {
    const id = await account(5);
    await expect(
      database.knex('ledger_entries').where({ account_id: id }).update({ units: 9 }),
    ).rejects.toThrow('never changed');
  });
});

describe('Idempotency-Keys', () => {
  test('a key that is in use stops only its plan', async () => {
    const id = await account(100);
    await commit([plan(id, 1, 1, 'k')]);
    expect(await commit([plan(id, 1, 1, 'k'), plan(id, 1, 1, 'other')])).toEqual(['keyTaken', 'accepted']);
    expect(await balanceOf(id)).toBe(98);
  });

  test('of two plans with one key in one batch exactly one is accepted', async () => {
    const id = await account(100);
    const outcomes = await commit([plan(id, 1, 1, 'twin'), plan(id, 1, 1, 'twin')]);
    expect([...outcomes].sort()).toEqual(['accepted', 'keyTaken']);
    expect(await balanceOf(id)).toBe(99);
  });

  test('a plan that cannot pay leaves no key', async () => {
    const id = await account(1);
    expect(await commit([plan(id, 1, 2, 'again')])).toEqual([{ short: id }]);
    expect(await count('select count(*) from idempotency_keys')).toBe(0);
    expect(await commit([plan(id, 1, 1, 'again')])).toEqual(['accepted']);
  });
});

const withSessions = process.env.DATABASE_URL === undefined ? test.skip : test;

withSessions(
  'messages are stored before the account is locked, so that others can debit it meanwhile',
  async () => {
    const id = await account(10);
    // A sequence shows what a transaction took from it before it ends.
    const taken = () => count('select coalesce(max(last_value), 0)::integer as count from messages_id_seq');
    const waiting = () =>
      count(`select count(*)::integer from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    const before = await taken();
    let committed: Promise<Outcome[]> | undefined;
    await database.knex.transaction(async (trx) => {
      await trx.raw('select from accounts where id = ? for update', [id]);
      committed = commit([plan(id, 3, 1)]);
      while ((await waiting()) === 0) await new Promise(setImmediate);
      expect(await taken()).toBe(before + 3);
    });
    expect(await committed).toEqual(['accepted']);
  },
);

test('a request whose recipients get different texts keeps them in their places', async () => {
  const accountId = await account(10);
  const messages = [0, 1, 2].map((place) => ({
    phone: `+25471100000${place}`,
    content: `Habari ${place % 2}`,
    channel: place === 1 ? 'Airtel' : 'Safaricom',
  }));
  const one = planOfSms({ messages: messages.map((own) => ({ ...own, accountId })) });
  await commit([one]);
  const stored = database.knex('messages').where({ request_id: one.accepted.requestId }).orderBy('position');
  expect(await stored.select('phone', 'content', 'channel')).toEqual(messages);
});

test('no account goes below zero, whatever runs concurrently, and every unit is accounted for', async () => {
  const opening = 500;
  const id = await account(opening);
  const senders = Array.from({ length: 20 }, async (_, sender) => {
    let spent = 0;
    for (let round = 0; round < 10; round += 1) {
      const plans = [plan(id, 1 + (sender % 3), 1), plan(id, 2, 2)];
      const outcomes = await commit(plans);
      plans.forEach((one, index) => {
        if (outcomes[index] === 'accepted')
          spent += one.messages.reduce((sum, message) => sum + message.units, 0);
      });
    }
    return spent;
  });
  const spent = (await Promise.all(senders)).reduce((sum, units) => sum + units, 0);
  expect(spent).toBeLessThanOrEqual(opening);
  expect(await balanceOf(id)).toBe(opening - spent);
  expect(await ledgerOf(id)).toBe(opening - spent);
  expect(await count('select coalesce(sum(units), 0) from messages where account_id = ?', [id])).toBe(spent);
});
