/** Tests clients and token keys against a real database. */
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { testDatabase } from '../platform/db/opened-testing.ts';
import { clearTables } from '../platform/db/testing.ts';
import { createSecrets } from '../platform/secrets/secrets.ts';
import { client } from './client-testing.ts';
import { loadKeys, type StoredKey } from './keys.ts';
import { type ClientRepository, createClientRepository } from './repository.ts';

const keyNamed = (kid: string, ms: number): StoredKey => ({
  kid,
  privateJwk: `v1.${kid}`,
  publicJwk: { kty: 'EC', kid },
  createdAt: new Date(ms),
  signsFrom: new Date(ms),
});

let repository: ClientRepository;

const database = testDatabase();
beforeAll(async () => {
  repository = createClientRepository(database.knex);
  for (const id of ['team-1', 'team-2']) await database.knex('teams').insert({ id, name: id });
});
beforeEach(() => clearTables(database.knex, 'clients, token_keys'));

describe('clients', () => {
  test('are read as they were stored, by exactly their id, which can be used once', async () => {
    const stored = { ...client, secretHashes: ['aa', 'bb'], signingSecrets: ['v1.sealed'], enabled: false };
    await expect(repository.insertClient(stored)).resolves.toBe(true);
    await expect(repository.insertClient({ ...client, teamId: 'team-2' })).resolves.toBe(false);
    await expect(repository.findClient('client-1')).resolves.toEqual(stored);
    await expect(repository.findClient('CLIENT-1')).resolves.toBeUndefined();
  });
});

describe('token keys', () => {
  test('are read as they were stored, and only the first is kept', async () => {
    await expect(repository.load()).resolves.toEqual([]);
    await repository.insertIfNone(keyNamed('k1', 1_700_000_000_123));
    await repository.insertIfNone(keyNamed('k2', 1000));
    await expect(repository.load()).resolves.toEqual([keyNamed('k1', 1_700_000_000_123)]);
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
