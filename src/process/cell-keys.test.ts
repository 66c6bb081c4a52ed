/** A new cell gets the keys of another: both hash a phone number alike and sign with the same key, after rotations too. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClientRepository } from '../clients/repository.ts';
import type { Secrets } from '../clients/secrets.ts';
import { inspectSeals, missingSeals } from '../ledger/inspection-repository.ts';
import { sealLedgers } from '../ledger/seal-repository.ts';
import { rotateSecretKey } from '../manage/access/secret-keys.ts';
import { teams } from '../manage/access/teams.ts';
import { rotateTokenKey } from '../manage/access/token-keys.ts';
import { copyKeys } from '../manage/cells/keys.ts';
import type { Management } from '../manage/management.ts';
import { sentencesOf } from '../manage/testing.ts';
import { topUp } from '../manage/units/accounts.ts';
import type { Database } from '../platform/db/knex.ts';
import { openTestDatabase } from '../platform/db/testing.ts';
import { openSecrets } from './secret-key.ts';

const key = () => randomBytes(32).toString('base64');
const [former, current] = [key(), key()];
let first: Database;
let second: Database;

beforeAll(async () => {
  [first, second] = [
    await openTestDatabase(process.env.DATABASE_URL),
    await openTestDatabase(process.env.DATABASE_URL),
  ];
  const replaced = await open(first, former);
  const phone = replaced.hashPhone('+254711000000');
  const both = await open(first, current, former);
  await rotateSecretKey(managed(first, both), 0, () => {});
  expect(both.hashPhone('+254711000000')).toBe(phone);
});
afterAll(async () => {
  await first?.close();
  await second?.close();
});

const open = ({ knex }: Database, secretKey: string, previousSecretKey?: string): Promise<Secrets> =>
  openSecrets({ secretKey, previousSecretKey, dataDirectory: '.' }, knex);
const managed = ({ knex }: Database, secrets?: Secrets): Management => ({
  knex,
  clock: { now: () => Date.now() },
  actor: { kind: 'command line', name: 'asha' },
  team: undefined,
  trustedIssuers: [],
  scopes: () => [],
  secrets: async () => secrets ?? openSecrets({ secretKey: current, dataDirectory: '.' }, knex),
});
const copy = () => copyKeys(managed(second), managed(first));
const tokenKeysOf = async ({ knex }: Database) =>
  (await createClientRepository(knex).load()).map(({ kid, publicJwk, signsFrom }) => ({
    ...{ kid, publicJwk, signsFrom },
  }));

test('not before the other cell has any', async () => {
  expect(await sentencesOf(copy())).toEqual(['the other cell has no token key yet: start it first']);
});

test('of a cell whose SECRET_KEY was changed, to one that has known the new one only', async () => {
  await rotateTokenKey(managed(first), { afterMinutes: 1 });
  await managed(second).secrets();
  await copy();
  const [here, there] = [await managed(first).secrets(), await managed(second).secrets()];
  expect(there.hashPhone('+254711000000')).toBe(here.hashPhone('+254711000000'));
  expect(await tokenKeysOf(second)).toEqual(await tokenKeysOf(first));

  const management = managed(second);
  await teams.create(management, { id: 'acme', name: 'acme' });
  await topUp(management, { team: 'acme', product: 'Sms', units: 5 });
  await sealLedgers(second.knex, there);
  expect(await inspectSeals(second.knex, there, 100)).toEqual([]);
  expect(await missingSeals(second.knex, there)).toBe(0);
});

test('again with a token key that was added since', async () => {
  await first
    .knex('token_keys')
    .update({ signs_from: first.knex.raw("service_now() - interval '1 minute'") });
  await rotateTokenKey(managed(first));
  const { tokenKeys } = await copy();
  expect(tokenKeys).toHaveLength(2);
  expect(await tokenKeysOf(second)).toEqual(await tokenKeysOf(first));
});

test('never to a cell that has teams and other SECRET_KEYs', async () => {
  await second.knex('secret_keys').where({ number: 1 }).delete();
  expect(await sentencesOf(copy())).toEqual([
    'this cell has teams, and has had other SECRET_KEYs than the other one: rotate to the same keys in both',
  ]);
});
