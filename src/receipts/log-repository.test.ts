/** A team's view of its receipts, page by page, and which of them can be posted again. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { testDatabase } from '../platform/db/opened-testing.ts';
import { clearTables } from '../platform/db/testing.ts';
import { findReceipt, listReceipts, type ReceiptFilter, type ReceiptPlace } from './log-repository.ts';
import { resendReceipt } from './resend-repository.ts';
import { receiptRow } from './rows-testing.ts';

const database = testDatabase();
beforeEach(() => clearTables(database.knex, 'receipts, messages'));

const start = Date.UTC(2030, 0, 1);
const minute = (n: number) => new Date(start + n * 60_000);
const entry = { at: minute(0).toISOString(), latencyMs: 12, status: 503, response: 'busy' };

/** A receipt created some minutes after the start; returns its id. */
async function insert(createdMinute: number, columns: object = {}): Promise<string> {
  const row = receiptRow('https://client.example', { created_at: minute(createdMinute), ...columns });
  await database.knex('receipts').insert(row);
  return row.id;
}
const rowOf = (id: string) => database.knex('receipts').where({ id }).first();
const list = (filter: Partial<ReceiptFilter> = {}) =>
  listReceipts(database.knex, 'team', { limit: 100, ...filter });
const idsOf = async (filter: Partial<ReceiptFilter>) => (await list(filter)).receipts.map(({ id }) => id);

describe('one receipt', () => {
  test('has its body, its state, and every attempt with the response', async () => {
    const id = await insert(1, { attempt_log: JSON.stringify([entry]), next_attempt_at: minute(9) });
    const { request_id: requestId } = await rowOf(id);
    expect(await findReceipt(database.knex, 'team', id)).toStrictEqual({
      id,
      teamId: 'team',
      subject: { requestId, messageId: '1', message: null },
      sequence: 1,
      url: 'https://client.example/receipts',
      body: '{}',
      state: 'Waiting',
      createdAt: minute(1),
      nextAttemptAt: minute(9),
      parkedUntil: null,
      attempts: [entry],
    });
  });

  test('that does not wait has no next attempt', async () => {
    const id = await insert(1, { state: 'Delivered' });
    expect(await findReceipt(database.knex, 'team', id)).toMatchObject({ nextAttemptAt: null });
  });
});

describe('a page', () => {
  test('is of one origin, of one team or of all', async () => {
    const origin = 'https://client.example';
    const id = await insert(1);
    await insert(2, { origin_key: randomUUID() });
    await database.knex('teams').insert({ id: 'team', name: 'team' });
    expect(await idsOf({ origin })).toStrictEqual([id]);
    expect((await listReceipts(database.knex, undefined, { origin, limit: 10 })).receipts).toMatchObject([
      { id },
    ]);
  });

  test('is of some messages', async () => {
    const [one] = [await insert(1, { message_id: 7 }), await insert(2, { message_id: 8 })];
    expect(await idsOf({ messageIds: ['7', '9'] })).toStrictEqual([one]);
    expect(await idsOf({ messageIds: [] })).toStrictEqual([]);
  });

  test('has the newest first, and none of another team', async () => {
    const ids = [await insert(1), await insert(2, { state: 'Delivered' }), await insert(3)];
    await insert(4, { team_id: 'other' });
    expect(await idsOf({})).toStrictEqual(ids.reverse());
  });

  test.each([1, 3, 7])('of %i leads on until there are no more', async (limit) => {
    const states = ['Waiting', 'Delivered', 'Exhausted'];
    // Two in each moment, a fraction of a millisecond after a whole one.
    const ids = await Promise.all(
      Array.from({ length: 7 }, (_, n) => insert(n >> 1, { state: states[n % 3] })),
    );
    await database.knex.raw(`update receipts set created_at = created_at + interval '1 microsecond'`);
    const seen: string[] = [];
    let after: ReceiptPlace | undefined;
    do {
      const page = await list({ limit, after });
      expect(page.receipts.length).toBeLessThanOrEqual(limit);
      seen.push(...page.receipts.map(({ id }) => id));
      after = page.next;
    } while (after !== undefined);
    expect(seen).toHaveLength(7);
    expect([...seen].sort()).toStrictEqual([...ids].sort());
  });

  test.each<[string, Partial<ReceiptFilter>, number[]]>([
    ['a state', { state: 'Exhausted' }, [1]],
    ['a beginning', { from: minute(1) }, [2, 1]],
    ['an end', { to: minute(1) }, [0]],
    ['both', { from: minute(1), to: minute(2) }, [1]],
  ])('is filtered by %s', async (_what, filter, expected) => {
    const ids = [await insert(0), await insert(1, { state: 'Exhausted' }), await insert(2)];
    expect(await idsOf(filter)).toStrictEqual(expected.map((n) => ids[n]));
  });

  test('is filtered by a request, and also by a state', async () => {
    const requestId = randomUUID();
    const message = {
      ...{ request_id: requestId, team_id: 'team', product: 'sms', position: 0, channel: 'c' },
      ...{ phone: '+1', units: 1, content: '{}' },
    };
    const [{ id: message_id }] = await database.knex('messages').insert(message).returning('id');
    const of = { request_id: requestId, message_id };
    const ids = [await insert(1, { ...of, state: 'Delivered' }), await insert(2, of)];
    await insert(3, { message_id: 0 });
    expect(await idsOf({ requestId })).toStrictEqual([...ids].reverse());
    expect(await idsOf({ requestId, state: 'Delivered' })).toStrictEqual([ids[0]]);
    expect(await listReceipts(database.knex, 'other', { requestId, limit: 9 })).toMatchObject({
      receipts: [],
    });
  });
});

describe('resending', () => {
  test.each(['Exhausted', 'Waiting'])('posts one that is %s again, on a new schedule', async (state) => {
    const id = await insert(1, {
      state,
      attempts: 11,
      attempt_log: JSON.stringify([entry]),
      next_attempt_at: new Date(Date.now() + 3_600_000),
    });
    expect(await resendReceipt(database.knex, 'team', id)).toBe(true);
    const row = await rowOf(id);
    expect(row).toMatchObject({ state: 'Waiting', attempts: 0, attempt_log: [entry], claimed_by: null });
    expect(row.next_attempt_at.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
  });

  test.each([
    ['leaves one that is being posted alone', 30, 3],
    ['takes one from a process that was killed', -1, 0],
  ])('%s', async (_rule, leaseLeftSeconds, attempts) => {
    const claimedBy = randomUUID();
    const leaseEnds = new Date(Date.now() + leaseLeftSeconds * 1_000);
    const id = await insert(1, { claimed_by: claimedBy, attempts: 3, next_attempt_at: leaseEnds });
    expect(await resendReceipt(database.knex, 'team', id)).toBe(true);
    expect(await rowOf(id)).toMatchObject({ claimed_by: attempts === 0 ? null : claimedBy, attempts });
  });
});
