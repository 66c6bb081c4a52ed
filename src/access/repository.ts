/** Stores clients and token keys. */
import type { Knex } from 'knex';
import { rowsOf } from '../platform/db/rows.ts';
import { type Client, clientProperties } from './client.ts';
import type { KeyStore, StoredKey } from './keys.ts';

export interface ClientRepository extends KeyStore {
  findClient(id: string): Promise<Client | undefined>;
  /** False when the id is taken. */
  insertClient(client: Client): Promise<boolean>;
  /** The web origins that enabled clients list. */
  listWebOrigins(): Promise<string[]>;
  /** Removes and adds token keys, as `change` says of those there are; one change at a time. */
  changeKeys(change: (keys: StoredKey[]) => KeyChange): Promise<void>;
}

export interface KeyChange {
  /** Their kids. */
  removed: readonly string[];
  added: readonly StoredKey[];
}

const clients = rowsOf('clients', 'id', clientProperties);

interface KeyRow {
  kid: string;
  private_jwk: string;
  public_jwk: object;
  created_at: Date;
  signs_from: Date;
}

export function createClientRepository(knex: Knex): ClientRepository {
  return {
    findClient: (id) => clients.find(knex, id),
    insertClient: (client) => clients.insert(knex, client),

    async listWebOrigins() {
      const { rows } = await knex.raw<{ rows: { origin: string }[] }>(
        'select distinct jsonb_array_elements_text(web_origins) as origin from clients where enabled',
      );
      return rows.map(({ origin }) => origin);
    },

    async load() {
      const rows: KeyRow[] = await knex('token_keys').orderBy(['signs_from', 'kid']);
      return rows.map(keyOf);
    },

    async insertIfNone(key) {
      await knex.transaction(async (trx) => {
        // A statement sees what was committed before it began: the wait must be over when the insert begins.
        await trx.raw('lock table token_keys in share row exclusive mode');
        await trx.raw(
          `insert into token_keys (kid, private_jwk, public_jwk, created_at, signs_from)
           select ?, ?, ?::jsonb, ?::timestamptz, ?::timestamptz where not exists (select 1 from token_keys)`,
          [key.kid, key.privateJwk, JSON.stringify(key.publicJwk), key.createdAt, key.signsFrom],
        );
      });
    },

    changeKeys(change) {
      return knex.transaction(async (trx) => {
        await trx.raw('lock table token_keys in share row exclusive mode');
        const rows: KeyRow[] = await trx('token_keys').orderBy(['signs_from', 'kid']);
        const { removed, added } = change(rows.map(keyOf));
        await trx('token_keys')
          .whereIn('kid', [...removed])
          .delete();
        for (const { kid, privateJwk, publicJwk, createdAt, signsFrom } of added)
          await trx('token_keys').insert({
            kid,
            private_jwk: privateJwk,
            public_jwk: publicJwk,
            created_at: createdAt,
            signs_from: signsFrom,
          });
      });
    },
  };
}

/** The mutable fields of a client. */
function keyOf(row: KeyRow): StoredKey {
  return {
    kid: row.kid,
    privateJwk: row.private_jwk,
    publicJwk: row.public_jwk,
    createdAt: row.created_at,
    signsFrom: row.signs_from,
  };
}
