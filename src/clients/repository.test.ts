/** Tests clients and token keys against a real database. */
import { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import createKnex, { type Knex } from 'knex';
import type { Client } from './client.ts';
import { loadKeys, type StoredKey } from './keys.ts';
import { createClientRepository } from './repository.ts';
import { createSecrets } from './secrets.ts';

const client: Client = {
  id: 'client-1',
  teamId: 'team-1',
  name: "O'Neill & Söhne",
  secretHashes: ['aa', 'bb'],
  signingSecrets: ['v1.sealed'],
  scopes: ['b.read', 'a.read'],
  allowedAddresses: ['203.0.113.0/24', '2001:db8::/32'],
  enabled: true,
};
const keyNamed = (kid: string, ms: number): StoredKey => ({
  kid,
  privateJwk: `v1.${kid}`,
  publicJwk: { kty: 'EC', kid },
  createdAt: new Date(ms),
});

let pglite: PGlite;
let knex: Knex;

beforeAll(async () => {
  pglite = await PGlite.create();
  knex = createKnex({
    client: 'pg',
    connection: () => createPgConfig(pglite),
    pool: { min: 1, max: 1 },
  });
  await knex.raw(`create table clients (id text primary key, team_id text not null, name text not null,
    secret_hashes jsonb not null, signing_secrets jsonb not null, scopes jsonb not null,
    allowed_addresses jsonb not null, enabled boolean not null, created_at timestamptz not null)`);
  await knex.raw(`create table token_keys (kid text primary key, private_jwk text not null,
    public_jwk jsonb not null, created_at timestamptz not null)`);
});

beforeEach(async () => {
  await knex.raw('truncate clients, token_keys');
});

afterAll(async () => {
  await knex.destroy();
  await pglite.close();
});

describe('clients', () => {
  test.each([
    ['with lists', client],
    ['with empty lists, disabled', { ...client, scopes: [], allowedAddresses: [], enabled: false }],
  ])('come back as they were stored, %s', async (_rule, stored) => {
    const repository = createClientRepository(knex);
    await repository.insertClient(knex, stored);
    await expect(repository.findClient('client-1')).resolves.toEqual(stored);
  });

  test.each(['client-2', 'CLIENT-1', '', "' or true --"])('an unknown id finds none: %j', async (id) => {
    const repository = createClientRepository(knex);
    await repository.insertClient(knex, client);
    await expect(repository.findClient(id)).resolves.toBeUndefined();
  });

  test('an id is taken once', async () => {
    const repository = createClientRepository(knex);
    await repository.insertClient(knex, client);
    await expect(repository.insertClient(knex, { ...client, teamId: 'team-2' })).rejects.toThrow(/unique/);
    await expect(repository.findClient('client-1')).resolves.toEqual(client);
  });

  test('an insert belongs to the transaction of its caller', async () => {
    const repository = createClientRepository(knex);
    const trx = await knex.transaction();
    await repository.insertClient(trx, client);
    await trx.rollback();
    await expect(repository.findClient('client-1')).resolves.toBeUndefined();
  });
});

describe('token keys', () => {
  test('come back as they were stored', async () => {
    const repository = createClientRepository(knex);
    await expect(repository.load()).resolves.toEqual([]);
    await repository.insertIfNone(keyNamed('k1', 1_700_000_000_123));
    await expect(repository.load()).resolves.toEqual([keyNamed('k1', 1_700_000_000_123)]);
  });

  test('only the first is kept', async () => {
    const repository = createClientRepository(knex);
    await repository.insertIfNone(keyNamed('k1', 2000));
    await repository.insertIfNone(keyNamed('k2', 1000));
    await expect(repository.load()).resolves.toEqual([keyNamed('k1', 2000)]);
  });

  test('starts at the same moment end with one key', async () => {
    const secrets = createSecrets(Buffer.alloc(32, 1));
    const loaded = await Promise.all(
      [1, 2, 3, 4].map((ms) => loadKeys(createClientRepository(knex), secrets, { now: () => ms })),
    );
    expect(new Set(loaded.map(({ signing }) => signing.kid)).size).toBe(1);
    await expect(createClientRepository(knex).load()).resolves.toHaveLength(1);
  });
});
