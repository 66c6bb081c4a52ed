/** That states only move forward, whatever networks say and how often, and that units and receipts follow them. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Database } from '../db/knex.ts';
import { openTestDatabase } from '../db/testing.ts';
import { recordChanges, recordSilence } from './record.ts';
import { type FinishedMessage, finalStates, type StateChange } from './states.ts';

const replay = process.env.SEED === undefined ? {} : { seed: Number(process.env.SEED) };
const opening = 1_000_000;

let database: Database;
let accountId: string;

beforeAll(async () => {
  database = await openTestDatabase(process.env.DATABASE_URL);
  const { knex } = database;
  await knex('teams').insert({ id: 'team', name: 'Team' });
  const [account] = await knex('accounts')
    .insert({ team_id: 'team', product: 'sms', balance: opening })
    .returning('id');
  accountId = account.id;
  await knex('ledger_entries').insert({ account_id: accountId, units: opening, reason: 'TopUp' });
});
afterAll(() => database.close());

const render = ({ messageId, state }: FinishedMessage) => ({ messageId, state });

/** An accepted request with its debit; answers the ids of its messages. */
async function accept(
  count: number,
  { units = 2, callbackUrl = 'https://example.com/receipts' as string | null } = {},
): Promise<string[]> {
  const { knex } = database;
  const request = { id: randomUUID(), correlator: 'order-17', callback_url: callbackUrl };
  const common = { client_id: 'client', operation: 'sendSms', resource_id: 'sms', sender: 'TARISHI' };
  return knex.transaction(async (trx) => {
    await trx('requests').insert({ ...request, ...common, team_id: 'team' });
    await trx('accounts').decrement('balance', units * count);
    await trx('ledger_entries').insert({
      account_id: accountId,
      units: -units * count,
      reason: 'Debit',
      request_id: request.id,
    });
    const message = { request_id: request.id, channel: 'Safaricom', phone: '+254711000000', text: 'Habari' };
    const rows = await trx('messages')
      .insert(Array.from({ length: count }, () => ({ ...message, units, account_id: accountId })))
      .returning('id');
    return rows.map(({ id }) => String(id)).sort((a, b) => Number(a) - Number(b));
  });
}

const record = (...changes: StateChange[]) =>
  database.knex.transaction((trx) => recordChanges(trx, changes, render));
const rowsOf = (ids: readonly string[]) => database.knex('messages').whereIn('id', ids).orderBy('id');
const receiptsOf = (ids: readonly string[]) =>
  database.knex('receipts').whereIn('message_id', ids).orderBy('message_id');
const refundsOf = (ids: readonly string[]) =>
  database.knex('ledger_entries').whereIn('message_id', ids).orderBy('message_id');
const statesOf = async (ids: readonly string[]) => (await rowsOf(ids)).map(({ state }) => state);

async function expectLedgerToMatch(): Promise<void> {
  const { rows } = await database.knex.raw(
    'select balance, (select sum(units) from ledger_entries)::bigint as entries from accounts',
  );
  expect(rows[0].entries).toBe(rows[0].balance);
}

const submitted = (messageId: string): StateChange => ({ messageId, state: 'Submitted', refund: false });
const delivered = (messageId: string): StateChange => ({ messageId, state: 'Delivered', refund: false });
const rejected = (messageId: string): StateChange => ({
  messageId,
  state: 'Failed',
  reason: 'No route',
  reasonCode: '11',
  refund: true,
});

describe('a change', () => {
  test('a hand-over keeps what the network called it and makes no receipt', async () => {
    const ids = await accept(1);
    expect(await record({ ...submitted(ids[0] ?? ''), networkId: 'n-1', segments: 3 })).toStrictEqual([]);
    expect(await rowsOf(ids)).toMatchObject([
      { state: 'Submitted', network_id: 'n-1', segments: 3, submitted_at: expect.any(Date), final_at: null },
    ]);
    expect(await receiptsOf(ids)).toStrictEqual([]);
  });

  test('a final state makes a receipt and tells what it needs', async () => {
    const ids = await accept(1);
    const [messageId = ''] = ids;
    const [message] = await rowsOf(ids);
    expect(await record(rejected(messageId))).toStrictEqual([
      {
        messageId,
        requestId: message.request_id,
        clientId: 'client',
        correlator: 'order-17',
        callbackUrl: 'https://example.com/receipts',
        channel: 'Safaricom',
        phone: '+254711000000',
        state: 'Failed',
        finalAt: expect.any(Date),
        reason: 'No route',
        reasonCode: '11',
      },
    ]);
    expect(await receiptsOf(ids)).toMatchObject([
      {
        request_id: message.request_id,
        client_id: 'client',
        url: 'https://example.com/receipts',
        origin: 'https://example.com',
        body: JSON.stringify({ messageId, state: 'Failed' }),
        state: 'Pending',
        attempts: 0,
      },
    ]);
  });

  test('without a callback URL there is no receipt', async () => {
    const ids = await accept(1, { callbackUrl: null });
    expect(await record(delivered(ids[0] ?? ''))).toHaveLength(1);
    expect(await receiptsOf(ids)).toStrictEqual([]);
  });

  test('of a message that nobody knows does nothing', async () => {
    expect(await record(delivered('999999999'))).toStrictEqual([]);
  });

  test('a hand-over and its report in one transaction end in the report', async () => {
    const ids = await accept(1);
    await record(submitted(ids[0] ?? ''), delivered(ids[0] ?? ''));
    expect(await statesOf(ids)).toStrictEqual(['Delivered']);
  });
});

describe('units', () => {
  test('of what never left us go back, once', async () => {
    const ids = await accept(2);
    for (let time = 0; time < 3; time += 1) await record(...ids.map(rejected));
    expect(await refundsOf(ids)).toMatchObject(
      ids.map((id) => ({ message_id: id, units: '2', reason: 'Refund', account_id: accountId })),
    );
    await expectLedgerToMatch();
  });

  test('of what a network took are spent', async () => {
    const ids = await accept(2);
    await record(submitted(ids[0] ?? ''));
    await record(rejected(ids[0] ?? ''), { ...rejected(ids[1] ?? ''), refund: false });
    expect(await statesOf(ids)).toStrictEqual(['Failed', 'Failed']);
    expect(await refundsOf(ids)).toStrictEqual([]);
  });

  test('that were none are not returned', async () => {
    const ids = await accept(1, { units: 0 });
    await record(rejected(ids[0] ?? ''));
    expect(await refundsOf(ids)).toStrictEqual([]);
  });
});

test('of many transactions at once with the same messages one counts', async () => {
  const ids = await accept(20);
  const finished = await Promise.all(
    Array.from({ length: 8 }, (_, turn) =>
      record(...(turn % 2 === 0 ? ids : [...ids].reverse()).map(turn % 3 === 0 ? rejected : delivered)),
    ),
  );
  expect(finished.flat()).toHaveLength(20);
  expect((await receiptsOf(ids)).map(({ message_id }) => message_id)).toStrictEqual(ids);
  await expectLedgerToMatch();
});

test('any sequence of reports: states move forward, one receipt and at most one refund per message', async () => {
  const step = fc.record({
    message: fc.nat({ max: 2 }),
    state: fc.constantFrom('Submitted', 'Submitted', 'Submitted', ...finalStates),
    refund: fc.boolean(),
  });
  const batches = fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(batches, fc.boolean(), async (sequence, wantsReceipts) => {
      const ids = await accept(3, wantsReceipts ? {} : { callbackUrl: null });
      const states = ids.map(() => 'Queued');
      const refunded = ids.map(() => false);
      for (const batch of sequence) {
        const changes = batch.map(({ message, state, refund }) => ({
          messageId: ids[message] ?? '',
          state,
          refund: refund && state !== 'Submitted',
        }));
        const finished = await record(...changes);
        const before = [...states];
        ids.forEach((id, index) => {
          const own = changes.filter(({ messageId }) => messageId === id);
          const change = own.find(({ state }) => state !== 'Submitted') ?? own[0];
          if (change === undefined || !['Queued', 'Submitted'].includes(before[index] ?? '')) return;
          states[index] = change.state;
          refunded[index] = change.refund && before[index] === 'Queued';
        });
        const ended = ids.filter((_, index) => isFinal(states[index]) && !isFinal(before[index]));
        expect(finished.map(({ messageId }) => messageId).sort()).toStrictEqual([...ended].sort());
        expect(await statesOf(ids)).toStrictEqual(states);
      }
      const bodies = (await receiptsOf(ids)).map(({ body }) => JSON.parse(body));
      const ended = ids.flatMap((messageId, index) =>
        isFinal(states[index]) ? [{ messageId, state: states[index] }] : [],
      );
      expect(bodies).toStrictEqual(wantsReceipts ? ended : []);
      const refunds = (await refundsOf(ids)).map(({ message_id }) => message_id);
      expect(refunds).toStrictEqual(ids.filter((_, index) => refunded[index]));
      await expectLedgerToMatch();
    }),
    { numRuns: 1_000, ...replay },
  );
}, 300_000);

const isFinal = (state: string | undefined) => finalStates.some((final) => final === state);

describe('a network that stays silent', () => {
  const threeDays = 72 * 3600;
  const silence = (limit = 100) =>
    database.knex.transaction((trx) => recordSilence(trx, threeDays, limit, render));
  const handedOver = (ids: readonly string[], secondsAgo: number) =>
    database.knex.raw(
      `update messages set submitted_at = now() - :secondsAgo * interval '1 second' where id = any(:ids)`,
      { ids, secondsAgo },
    );

  beforeEach(() => database.knex('messages').where({ state: 'Submitted' }).update({ state: 'Delivered' }));

  test('for 72 hours: the state becomes uncertain, the units are spent', async () => {
    const ids = await accept(1);
    await record(...ids.map(submitted));
    await handedOver(ids, threeDays + 1);
    expect(await silence()).toMatchObject([{ messageId: ids[0], state: 'DeliveryUncertain' }]);
    expect(await receiptsOf(ids)).toHaveLength(1);
    expect(await refundsOf(ids)).toStrictEqual([]);
    expect(await silence()).toStrictEqual([]);
  });

  test('for less than 72 hours is waited for', async () => {
    const ids = await accept(1);
    await record(...ids.map(submitted));
    await handedOver(ids, threeDays - 60);
    expect(await silence()).toStrictEqual([]);
    expect(await statesOf(ids)).toStrictEqual(['Submitted']);
  });

  test('a message that still waits for us is not meant', async () => {
    const ids = await accept(1);
    await handedOver(ids, threeDays + 1);
    expect(await silence()).toStrictEqual([]);
  });

  test('a late report changes nothing', async () => {
    const ids = await accept(1);
    await record(...ids.map(submitted));
    await handedOver(ids, threeDays + 1);
    await silence();
    expect(await record(...ids.map(delivered))).toStrictEqual([]);
    expect(await statesOf(ids)).toStrictEqual(['DeliveryUncertain']);
  });

  test('so many at a time, the longest silent first', async () => {
    const [first = '', second = '', third = ''] = await accept(3);
    await record(...[first, second, third].map(submitted));
    await handedOver([third], threeDays + 300);
    await handedOver([first], threeDays + 200);
    await handedOver([second], threeDays + 100);
    expect((await silence(2)).map(({ messageId }) => messageId).sort()).toStrictEqual([first, third].sort());
    expect((await silence(2)).map(({ messageId }) => messageId)).toStrictEqual([second]);
  });
});
