/** Accepted messages in a real database, for tests of what is recorded about them. */
import { randomUUID } from 'node:crypto';
import type { Product } from '../model/plan.ts';
import type { ReachedState, StateChange } from '../model/states.ts';
import { openedForAll } from '../platform/db/opened-testing.ts';
import { openTestDatabase } from '../platform/db/testing.ts';
import { type Consequences, recordChanges } from './record.ts';

const opening = 1_000_000;
const receipt = ({ messageId, state }: ReachedState) => ({ messageId, state });
/** Receipts that hold no more than which message reached which state. */
export const consequences: Consequences = {
  receipt: { sms: receipt, data: receipt, chatapp: receipt },
  follow: {},
};

export type RecordedMessages = Awaited<ReturnType<typeof openRecordedMessages>>;

/** For all tests of a file. */
export const recordedMessages = (): RecordedMessages =>
  openedForAll(openRecordedMessages, ({ database }) => database.close());

/** A database with one team and one account; `accept` puts requests into it as intake does. */
async function openRecordedMessages() {
  const database = await openTestDatabase(process.env.DATABASE_URL);
  const { knex } = database;
  await knex('teams').insert({ id: 'team', name: 'Team' });
  const [{ id: accountId }] = await knex('accounts')
    .insert({ team_id: 'team', product: 'sms', balance: opening })
    .returning('id');
  await knex('ledger_entries').insert({ account_id: accountId, units: opening, reason: 'TopUp' });
  const rowsOf = (ids: readonly string[]) => knex('messages').whereIn('id', ids).orderBy('id');

  /** An accepted request with its debit; returns the ids of its messages. */
  const accept = async (
    count: number,
    {
      units = 2,
      callbackUrl = 'https://example.com/receipts' as string | null,
      product = 'sms' as Product,
    } = {},
  ): Promise<string[]> => {
    const request = { id: randomUUID(), correlator: 'order-17', callback_url: callbackUrl };
    const common = { client_id: 'client', operation: 'sendSms', resource_id: 'sms', sender: 'TARISHI' };
    return knex.transaction(async (trx) => {
      await trx('requests').insert({ ...request, ...common, team_id: 'team' });
      await trx('accounts').decrement('balance', units * count);
      const debit = { account_id: accountId, units: -units * count, request_id: request.id };
      await trx('ledger_entries').insert({ ...debit, reason: 'Debit' });
      const route = { channel: 'Safaricom', phone: '+254711000000', content: 'Habari' };
      const of = { request_id: request.id, team_id: 'team', account_id: accountId };
      const message = { ...of, product, ...route, units };
      const rows = await trx('messages')
        .insert(Array.from({ length: count }, (_, position) => ({ ...message, position })))
        .returning('id');
      return rows.map(({ id }) => String(id)).sort((a, b) => Number(a) - Number(b));
    });
  };

  return {
    database,
    accountId: accountId as string,
    accept,
    record: (...changes: StateChange[]) =>
      knex.transaction((trx) => recordChanges(trx, changes, consequences)),
    rowsOf,
    statesOf: async (ids: readonly string[]): Promise<string[]> =>
      (await rowsOf(ids)).map(({ state }) => state),
    receiptsOf: (ids: readonly string[]) => knex('receipts').whereIn('message_id', ids).orderBy('message_id'),
    refundsOf: (ids: readonly string[]) =>
      knex('ledger_entries').whereIn('message_id', ids).orderBy('message_id'),
    /** The account's balance, and the sum of its ledger. */
    totals: async (): Promise<{ balance: string; entries: string }> => {
      const { rows } = await knex.raw(
        'select balance, (select sum(units) from ledger_entries)::bigint as entries from accounts',
      );
      return rows[0];
    },
  };
}

export const submitted = (messageId: string): StateChange => ({
  messageId,
  product: 'sms',
  state: 'Submitted',
  refund: false,
});
export const delivered = (messageId: string): StateChange => ({
  messageId,
  product: 'sms',
  state: 'Delivered',
  refund: false,
});
export const rejected = (messageId: string): StateChange => ({
  messageId,
  product: 'sms',
  state: 'Failed',
  reason: 'No route',
  reasonCode: '11',
  refund: true,
  accepted: false,
});
