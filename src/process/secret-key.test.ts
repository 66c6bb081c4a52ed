/** Which secret key a database accepts, and the error for another one. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Knex } from 'knex';
import type { Database } from '../platform/db/knex.ts';
import { openTestDatabase } from '../platform/db/testing.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';
import { hasSecretKey, openSecrets } from './secret-key.ts';

let database: Database;
let directory: string;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tarishi-key-'));
  database = await openTestDatabase(process.env.DATABASE_URL);
});
afterEach(async () => {
  await database.close();
  rmSync(directory, { recursive: true });
});

const open = (secretKey?: string) => openSecrets({ secretKey, dataDirectory: directory }, database.knex);
const newKey = () => randomBytes(32).toString('base64');

test('the first key of a database is its key, and no other', async () => {
  const key = newKey();
  await open(key);
  await open(key);
  await expect(open(newKey())).rejects.toThrow(
    'SECRET_KEY is not the key that this database was filled with',
  );
});

test('one of two concurrent first keys is stored', async () => {
  const opened = await Promise.allSettled([open(newKey()), open(newKey())]);
  expect(opened.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('without a setting a key is generated once; a lost key is not replaced', async () => {
  const settings = { secretKey: undefined, dataDirectory: directory };
  expect(hasSecretKey(settings)).toBe(false);
  await open();
  expect(hasSecretKey(settings)).toBe(true);
  await open();
  rmSync(join(directory, 'secret.key'));
  await expect(open()).rejects.toThrow(`SECRET_KEY is not set and ${directory}/secret.key is missing`);
  expect(hasSecretKey(settings)).toBe(false);
});

test.each(['', 'not a key'])('a key file that holds "%s" is named', async (content) => {
  writeFileSync(join(directory, 'secret.key'), content);
  await expect(open()).rejects.toThrow(
    `${directory}/secret.key does not hold a key (32 bytes in base64): restore it from a backup`,
  );
});

test("another database's key file is named", async () => {
  await open(newKey());
  writeFileSync(join(directory, 'secret.key'), newKey());
  await expect(open()).rejects.toThrow(
    `the key in ${directory}/secret.key is not the key that this database was filled with`,
  );
});

test.each<[string, (knex: Knex, secrets: Secrets) => Promise<unknown>]>([
  [
    'a value that it made',
    (knex, secrets) =>
      knex('users').insert({
        id: 'root',
        name: 'Root',
        role: 'owner',
        key_hashes: JSON.stringify([secrets.hash('secret')]),
      }),
  ],
  // Its ledger would be sealed anew.
  ['a team', (knex) => knex('teams').insert({ id: 'acme', name: 'Acme' })],
])('a database that lost its key rows, but has %s, is not taken for a new one', async (_what, add) => {
  const key = newKey();
  const secrets = await open(key);
  const { knex } = database;
  await add(knex, secrets);
  await knex('secret_keys').delete();
  await expect(open(key)).rejects.toThrow('the table secret_keys is empty, but this database has teams, or');
  expect(await knex('secret_keys')).toEqual([]);
});
