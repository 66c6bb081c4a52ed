/** Stores which secret keys a database has had, and finds what still needs one of them. */

import type { Knex } from 'knex';
import { own } from '../text/own.ts';
import type { Secrets } from './secrets.ts';
import { placeOf } from './secrets.ts';

export interface StoredSecretKey {
  number: number;
  id: string;
  /** Sealed with the newest key. Null: of the newest. */
  lasting: string | null;
  createdAt: Date;
  /** Null: of the newest, or something may still need the key. */
  releasedAt: Date | null;
}

/** The oldest first; the last one makes new values. */
export async function secretKeysOf(knex: Knex): Promise<StoredSecretKey[]> {
  return knex('secret_keys')
    .orderBy('number')
    .select('number', 'id', 'lasting', 'created_at as createdAt', 'released_at as releasedAt');
}

/** Of several processes that do it at once, one does; returns whether this one did. */
export async function insertFirstKey(trx: Knex.Transaction, id: string): Promise<boolean> {
  const inserted = await trx('secret_keys').insert({ number: 1, id }).onConflict().ignore().returning('id');
  return inserted.length === 1;
}

/** No other transaction adds a key before this one ends. */
export async function lockSecretKeys(trx: Knex.Transaction): Promise<StoredSecretKey[]> {
  await trx.raw('lock table secret_keys in share row exclusive mode');
  return secretKeysOf(trx);
}

/** The new one makes new values from now on; `lasting` by the ids of those before it. */
export async function insertNextKey(
  trx: Knex.Transaction,
  { number, id }: Pick<StoredSecretKey, 'number' | 'id'>,
  lasting: ReadonlyMap<string, string>,
): Promise<void> {
  for (const [former, sealed] of lasting)
    await trx('secret_keys').where({ id: former }).update({ lasting: sealed });
  await trx('secret_keys').insert({ number, id });
}

/** Nothing needs these keys any longer. */
export async function releaseKeys(knex: Knex, ids: readonly string[]): Promise<void> {
  await knex('secret_keys')
    .whereIn('id', [...ids])
    .whereNull('released_at')
    .update({ released_at: knex.raw('service_now()') });
}

interface KeyedColumn {
  /** What the values are, for people. */
  what: string;
  table: 'clients' | 'users' | 'console_sessions' | 'connectors' | 'token_keys';
  /** The primary key. */
  key: 'id' | 'id_hash' | 'name' | 'kid';
  column: string;
  /** A value as the newest key makes it. */
  again: (secrets: Secrets, value: string, row: string) => string;
}

const rehashed = (secrets: Secrets, value: string) => secrets.rehash(value);
const resealed =
  (place: (row: string) => ReturnType<typeof placeOf.tokenKey>) =>
  (secrets: Secrets, value: string, row: string) =>
    secrets.encrypt(secrets.decrypt(value, place(row)), place(row));

/** Every column whose values name the key that made them, but those of ledgers. */
export const keyedColumns: readonly KeyedColumn[] = [
  { what: 'client secret', table: 'clients', key: 'id', column: 'secret_hashes', again: rehashed },
  {
    what: 'signing secret',
    table: 'clients',
    key: 'id',
    column: 'signing_secrets',
    again: resealed(placeOf.signingSecret),
  },
  { what: 'access key', table: 'users', key: 'id', column: 'key_hashes', again: rehashed },
  {
    what: 'console session',
    table: 'console_sessions',
    key: 'id_hash',
    column: 'key_hash',
    again: rehashed,
  },
  {
    what: 'connector',
    table: 'connectors',
    key: 'name',
    column: 'secrets',
    again: resealed(placeOf.connectorSecrets),
  },
  {
    what: 'token key',
    table: 'token_keys',
    key: 'kid',
    column: 'private_jwk',
    again: resealed(placeOf.tokenKey),
  },
];

/** Whether the database has had a key: every command that adds a team records one, and values are made with one. */
export async function hasHadKey(knex: Knex): Promise<boolean> {
  if ((await knex('teams').first('id')) !== undefined) return true;
  for (const { table, key, column } of keyedColumns)
    if ((await knex(table).whereRaw("??::text <> '[]'", [column]).first(key)) !== undefined) return true;
  return false;
}

/** A point follows the id, and stands nowhere else in such values. */
const naming = (id: string) => `%${id}.%`;

/** How many rows hold values of the key, by what they are; those without any are absent. */
export async function rowsNaming(knex: Knex, id: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { what, table, key, column } of keyedColumns) {
    const rows = await knex(table)
      .whereRaw('??::text like ?', [column, naming(id)])
      .pluck(key);
    if (rows.length > 0) counts.set(what, rows.length);
  }
  return counts;
}

/**
 * Makes the values of the key again, each row in a transaction of its own, so that others who change it wait or are waited
 * for. Returns the rows that cannot be read, by what they are.
 */
export async function makeRowsAgain(
  knex: Knex,
  secrets: Secrets,
  id: string,
  { what, table, key, column, again }: KeyedColumn,
): Promise<string[]> {
  const rows: string[] = await knex(table)
    .whereRaw('??::text like ?', [column, naming(id)])
    .orderBy(key)
    .pluck(key);
  const unreadable: string[] = [];
  for (const row of rows)
    await knex.transaction(async (trx) => {
      const found = await trx(table).where(key, row).forUpdate().first(column);
      const stored: string | string[] | null | undefined = own(found, column);
      if (!stored) return;
      try {
        const made = (value: string) => again(secrets, value, row);
        const next = typeof stored === 'string' ? made(stored) : JSON.stringify(stored.map(made));
        await trx(table).where(key, row).update(column, next);
      } catch (error) {
        if (error instanceof Error && 'code' in error) throw error;
        unreadable.push(`${what} of ${row}`);
      }
    });
  return unreadable;
}
