/** Tests clients and token keys against a real database. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Database } from '../platform/db/knex.ts';
import { clearTables, openTestDatabase } from '../platform/db/testing.ts';
import { createSecrets } from '../platform/secrets/secrets.ts';
import type { Client } from './client.ts';
import { loadKeys, type StoredKey } from './keys.ts';
import { type ClientRepository, createClientRepository } from './repository.ts';

const client: Client = {
  id: 'client-1',
  teamId: 'team-1',
  name: "O'Neill & Söhne",
  secretHashes: ['aa', 'bb'],
  signingSecrets: ['v1.sealed'],
  scopes: ['b.read', 'a.read'],
  allowedAddresses: ['203.0.113.0/24', '2001:db8::/32'],
  enabled: true,
  webOrigins: [],
  issuer: null,
  tokensValidFromMs: 1_700_000_000_123,
  ratePerSecond: null,
};
const keyNamed = (kid: string, ms: number): StoredKey => ({
  kid,
  privateJwk: `v1.${kid}`,
  publicJwk: { kty: 'EC', kid },
  createdAt: new Date(ms),
  signsFrom: new Date(ms),
});

let database: Database;
let repository: ClientRepository;

beforeAll(async () => {
  database = await openTestDatabase(process.env.DATABASE_URL);
  repository = createClientRepository(database.knex);
  for (const id of ['team-1', 'team-2']) await database.knex('teams').insert({ id, name: id });
});
beforeEach(() => clearTables(database.knex, 'clients, token_keys'));
afterAll(() => database.close());

describe('clients', () => {
  test.each([
    ['with lists', client],
    ['with empty lists, disabled', { ...client, scopes: [], allowedAddresses: [], enabled: false }],
  ])('are read as they were stored, %s', async (_rule, stored) => {
    await repository.insertClient(stored);
    await expect(repository.findClient('client-1')).resolves.toEqual(stored);
  });

  test.each(['client-2', 'CLIENT-1', '', "' or true --"])('an unknown id finds nothing: %j', async (id) => {
    await repository.insertClient(client);
    await expect(repository.findClient(id)).resolves.toBeUndefined();
  });

  test('an id can be used once', async () => {
    await expect(repository.insertClient(client)).resolves.toBe(true);
    await expect(repository.insertClient({ ...client, teamId: 'team-2' })).resolves.toBe(false);
    await expect(repository.findClient('client-1')).resolves.toEqual(client);
  });
});

describe('token keys', () => {
  test('are read as they were stored', async () => {
    await expect(repository.load()).resolves.toEqual([]);
    await repository.insertIfNone(keyNamed('k1', 1_700_000_000_123));
    await expect(repository.load()).resolves.toEqual([keyNamed('k1', 1_700_000_000_123)]);
  });

  test('only the first is kept', async () => {
    await repository.insertIfNone(keyNamed('k1', 2000));
    await repository.insertIfNone(keyNamed('k2', 1000));
    await expect(repository.load()).resolves.toEqual([keyNamed('k1', 2000)]);
  });

  test('starts at the same moment end with one key', async () => {
    const secrets = createSecrets(Buffer.alloc(32, 1));
    const loaded = await Promise.all(
      [1, 2, 3, 4].map((ms) => loadKeys(repository, secrets, { now: () => ms })),
    );
    expect(new Set(loaded.map(({ signing }) => signing.kid)).size).toBe(1);
    await expect(repository.load()).resolves.toHaveLength(1);
  });
});
