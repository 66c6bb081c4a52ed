/** Stores clients and token keys. */
import type { Knex } from 'knex';
import { byTeam, type Part } from '../db/by-team.ts';
import { insertNew } from '../db/insert.ts';
import type { Client } from './client.ts';
import type { KeyStore, StoredKey } from './keys.ts';

export interface ClientRepository extends KeyStore {
  findClient(id: string): Promise<Client | undefined>;
  /** False when the id is taken. */
  insertClient(client: Client): Promise<boolean>;
  /** The web origins that enabled clients list. */
  listWebOrigins(): Promise<string[]>;
  /** Of one team, or of all. */
  listClients(part: Part): Promise<Client[]>;
  /** Removes and adds token keys, as `change` says of those there are; one change at a time. */
  changeKeys(change: (keys: StoredKey[]) => KeyChange): Promise<void>;
  /** Stores all of a client but its id and team. */
  updateClient(client: Client): Promise<void>;
}

export interface KeyChange {
  /** Their kids. */
  removed: readonly string[];
  added: readonly StoredKey[];
}

interface ClientRow {
  id: string;
  team_id: string;
  name: string;
  secret_hashes: string[];
  signing_secrets: string[];
  scopes: string[];
  allowed_addresses: string[];
  web_origins: string[];
  issuer: string | null;
  enabled: boolean;
  tokens_valid_from: Date;
  rate_per_second: number | null;
}

interface KeyRow {
  kid: string;
  private_jwk: string;
  public_jwk: object;
  created_at: Date;
  signs_from: Date;
}

export function createClientRepository(knex: Knex): ClientRepository {
  return {
    async findClient(id) {
      const row: ClientRow | undefined = await knex('clients').where({ id }).first();
      return row && clientOf(row);
    },

    insertClient(client) {
      return insertNew(knex, 'clients', {
        id: client.id,
        team_id: client.teamId,
        ...columnsOf(client),
      });
    },

    async listWebOrigins() {
      const { rows } = await knex.raw<{ rows: { origin: string }[] }>(
        'select distinct jsonb_array_elements_text(web_origins) as origin from clients where enabled',
      );
      return rows.map(({ origin }) => origin);
    },

    async listClients(part) {
      const rows: ClientRow[] = await knex('clients').modify(byTeam, part);
      return rows.map(clientOf);
    },

    async updateClient(client) {
      await knex('clients').where({ id: client.id }).update(columnsOf(client));
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

/** What of a client may change. */
function columnsOf(client: Client) {
  return {
    name: client.name,
    // node-postgres would write a bare array as a PostgreSQL array, not as JSON.
    secret_hashes: JSON.stringify(client.secretHashes),
    signing_secrets: JSON.stringify(client.signingSecrets),
    scopes: JSON.stringify(client.scopes),
    allowed_addresses: JSON.stringify(client.allowedAddresses),
    web_origins: JSON.stringify(client.webOrigins),
    issuer: client.issuer,
    enabled: client.enabled,
    tokens_valid_from: new Date(client.tokensValidFromMs),
    rate_per_second: client.ratePerSecond,
  };
}

function clientOf(row: ClientRow): Client {
  return {
    id: row.id,
    teamId: row.team_id,
    name: row.name,
    secretHashes: row.secret_hashes,
    signingSecrets: row.signing_secrets,
    scopes: row.scopes,
    allowedAddresses: row.allowed_addresses,
    webOrigins: row.web_origins,
    issuer: row.issuer,
    enabled: row.enabled,
    tokensValidFromMs: row.tokens_valid_from.getTime(),
    ratePerSecond: row.rate_per_second,
  };
}

function keyOf(row: KeyRow): StoredKey {
  return {
    kid: row.kid,
    privateJwk: row.private_jwk,
    publicJwk: row.public_jwk,
    createdAt: row.created_at,
    signsFrom: row.signs_from,
  };
}
