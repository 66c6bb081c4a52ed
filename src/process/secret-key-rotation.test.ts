/** A new SECRET_KEY takes the place of another one: what both make, what is made again, and when the old one may go. */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createClientRepository } from '../access/repository.ts';
import { createSessions } from '../console/session/sessions.ts';
import { inspectSeals, missingSeals } from '../ledger/inspection-repository.ts';
import { sealLedgers } from '../ledger/seal-repository.ts';
import { createClient } from '../manage/access/clients.ts';
import { readSecretKeys, rotateSecretKey } from '../manage/access/secret-keys.ts';
import { teams } from '../manage/access/teams.ts';
import { rotateTokenKey } from '../manage/access/token-keys.ts';
import { createUser, userAndHashOfKey } from '../manage/access/users.ts';
import type { Management } from '../manage/management.ts';
import { createConnector } from '../manage/networks/connectors.ts';
import { topUp } from '../manage/units/accounts.ts';
import { systemClock } from '../platform/clock.ts';
import type { Database } from '../platform/db/knex.ts';
import { openTestDatabase } from '../platform/db/testing.ts';
import { keyedColumns } from '../platform/secrets/secret-key-repository.ts';
import { placeOf, type Secrets } from '../platform/secrets/secrets.ts';
import { openSecrets } from './secret-key.ts';

const key = () => randomBytes(32).toString('base64');
const [first, second, third] = [key(), key(), key()];
let database: Database;

beforeEach(async () => {
  database = await openTestDatabase(process.env.DATABASE_URL);
});
afterEach(() => database.close());

const open = (secretKey: string, previousSecretKey?: string) =>
  openSecrets({ secretKey, previousSecretKey, dataDirectory: '.' }, database.knex);
const managed = (secrets: Secrets): Management => ({
  knex: database.knex,
  clock: { now: () => Date.now() },
  actor: { kind: 'command line', name: 'asha' },
  team: undefined,
  trustedIssuers: [],
  scopes: () => [],
  secrets: async () => secrets,
});
const rotate = (secrets: Secrets) => rotateSecretKey(managed(secrets), 0, () => {});

const sessions = () =>
  createSessions({ knex: database.knex, clock: systemClock, timeZone: 'Africa/Nairobi' });

interface Filled {
  clientSecret: string;
  signingSecret: string;
  accessKey: string;
  /** Of a session of the console, which the access key has opened. */
  sessionId: string;
}

/** Something of everything that is made with the key. */
async function fill(secrets: Secrets, name: string): Promise<Filled> {
  const management = managed(secrets);
  await teams.create(management, { id: name, name });
  const { secrets: made } = await createClient(management, { id: name, teamId: name });
  const { accessKey } = await createUser(management, { id: name, role: 'owner', teamId: null });
  await createConnector(management, {
    name,
    kind: 'bundles',
    settings: { baseUrl: 'https://provider.example' },
    secrets: { token: `token of ${name}` },
  });
  const found = await userAndHashOfKey({ knex: database.knex, secrets }, accessKey);
  if (found === undefined) throw new TypeError('The key is wrong.');
  const openedWith = { keyHash: found.keyHash, ssoName: null };
  const place = { address: '127.0.0.1', browser: '' };
  const sessionId = await sessions().open(found.user, openedWith, place, undefined);
  await topUp(management, { team: name, product: 'Sms', units: 1, reference: name });
  await sealLedgers(database.knex, secrets);
  return {
    clientSecret: made.clientSecret ?? '',
    signingSecret: made.signingSecret ?? '',
    accessKey,
    sessionId,
  };
}

/** Expects that everything of `fill` works with these keys. */
async function expectWorks(secrets: Secrets, name: string, filled: Filled): Promise<void> {
  const client = await createClientRepository(database.knex).findClient(name);
  expect(secrets.matches(filled.clientSecret, client?.secretHashes ?? [])).toBe(true);
  expect(secrets.matches('another', client?.secretHashes ?? [])).toBe(false);
  expect(client?.signingSecrets.map((one) => secrets.decrypt(one, placeOf.signingSecret(name)))).toEqual([
    filled.signingSecret,
  ]);
  const [hashes] = await database.knex('users').where({ id: name }).pluck('key_hashes');
  expect(secrets.matches(filled.accessKey.split('.')[1] ?? '', hashes)).toBe(true);
  expect((await sessions().find(filled.sessionId, true))?.user.id).toBe(name);
  const [sealed] = await database.knex('connectors').where({ name }).pluck('secrets');
  expect(JSON.parse(secrets.decrypt(sealed, placeOf.connectorSecrets(name)))).toEqual({
    token: `token of ${name}`,
  });
  expect(await inspectSeals(database.knex, secrets, 1_000)).toEqual([]);
  expect(await missingSeals(database.knex, secrets)).toBe(0);
}

describe('from one key to the next', () => {
  test('both open everything; afterwards the new one alone does, cursors and hashes of numbers included', async () => {
    const before = await open(first);
    const filled = await fill(before, 'acme');
    await rotateTokenKey(managed(before));
    const list = placeOf.cursor('list');
    const [cursor, phone] = [before.encrypt('place', list), before.hashPhone('+254711000000')];

    // A process that has both works like the one that does not know the new key yet, which opens what it makes.
    const both = await open(second, first);
    await expectWorks(both, 'acme', filled);
    const early = await fill(both, 'early');
    await expectWorks(before, 'early', early);
    const other = await open(second, first);

    const { unreadable, wrongSeals, keys } = await rotate(both);
    expect({ unreadable, wrongSeals }).toEqual({ unreadable: [], wrongSeals: 0 });
    expect(keys.map(({ state }) => state)).toEqual(['active', 'released']);
    // Those that have not noticed yet, and those that have.
    await expectWorks(other, 'acme', filled);
    await expectWorks(both, 'acme', filled);
    const late = await fill(both, 'late');

    const after = await open(second);
    for (const [name, one] of Object.entries({ acme: filled, early, late }))
      await expectWorks(after, name, one);
    expect(after.decrypt(cursor, list)).toBe('place');
    expect(after.hashPhone('+254711000000')).toBe(phone);
    for (const previous of [undefined, second])
      await expect(open(first, previous)).rejects.toThrow(/^SECRET_KEY was replaced by another key on 20/);
  });

  test('a third key follows; hashes of the first still match', async () => {
    const filled = await fill(await open(first), 'acme');
    const phone = (await open(first)).hashPhone('+254711000000');
    const madeByFirst = (await open(first)).hash('x');
    await rotate(await open(second, first));
    await rotate(await open(third, second));
    const after = await open(third);
    // A former key and write access to the database make no hash that is accepted.
    expect(after.matches('x', [(await open(third, second)).hash('x')])).toBe(true);
    expect(after.matches('x', [madeByFirst])).toBe(false);
    await expectWorks(after, 'acme', filled);
    expect(after.hashPhone('+254711000000')).toBe(phone);
  });

  test('every column that names a key is made again', async () => {
    const before = await open(first);
    await fill(before, 'acme');
    await rotateTokenKey(managed(before));
    await rotate(await open(second, first));
    const { rows } = await database.knex.raw(
      `select table_name || '.' || column_name as name from information_schema.columns
       where table_schema = current_schema() and data_type in ('text', 'jsonb')`,
    );
    const naming: string[] = [];
    for (const { name } of rows) {
      const [table, column] = name.split('.');
      const found = await database
        .knex(table)
        .whereRaw('??::text like ?', [column, `%${before.ring().active}.%`]);
      if (found.length > 0) naming.push(name);
    }
    expect(naming).toEqual([]);
    expect(keyedColumns.length).toBeGreaterThan(4);
  });

  test('a rotation that was ended goes on where it was', async () => {
    const filled = await fill(await open(first), 'acme');
    const both = await open(second, first);
    await database.knex.raw(
      `alter table users add constraint failing check (key_hashes::text not like '%${both.ring().keys.at(-1)?.id}.%')`,
    );
    await expect(rotate(both)).rejects.toThrow(/failing/);
    await expect(open(second)).rejects.toThrow(
      /^SECRET_KEY_PREVIOUS was removed too early: .*1 × access key/,
    );
    const again = await open(second, first);
    await expectWorks(again, 'acme', filled);
    expect((await readSecretKeys(managed(again))).needed).toEqual([
      {
        id: again.ring().keys[0].id,
        what: '1 × access key, 1 × console session, 1 × connector, 2 × ledger seal',
      },
    ]);
    await database.knex.raw('alter table users drop constraint failing');
    await rotate(again);
    expect((await readSecretKeys(managed(again))).needed).toEqual([]);
    await expectWorks(await open(second), 'acme', filled);
  });
});

describe('what a start says', () => {
  test('a new key without the previous one, or with one that never was', async () => {
    await open(first);
    await expect(open(second)).rejects.toThrow(/If it is to replace that key, set SECRET_KEY_PREVIOUS/);
    await expect(open(second, third)).rejects.toThrow(/is not the key that this database was filled with/);
  });

  test('a process makes values with the former key after the rotation: the new key alone does not start', async () => {
    await open(first);
    const [stale, both] = [await open(second, first), await open(second, first)];
    await rotate(both);
    await fill(stale, 'stale');
    await expect(open(second)).rejects.toThrow(/removed too early: .*1 × client secret/);
    await rotate(await open(second, first));
    await open(second);
  });
});

test('nothing to rotate is said, not done', async () => {
  await expect(rotate(await open(first))).rejects.toThrow(/there is nothing to rotate/);
});

test('a value that the former key does not open keeps that key, and no other value', async () => {
  const filled = await fill(await open(first), 'acme');
  const both = await open(second, first);
  await fill(both, 'other');
  await database
    .knex('connectors')
    .where({ name: 'other' })
    .update({
      secrets: (await database.knex('connectors').where({ name: 'acme' }).first('secrets')).secrets,
    });
  const { unreadable } = await rotate(both);
  expect(unreadable).toEqual(['connector of other']);
  await expect(open(second)).rejects.toThrow(/removed too early/);
  await expectWorks(await open(second, first), 'acme', filled);
});

test('seals that were changed by hand are not confirmed', async () => {
  const { knex } = database;
  await fill(await open(first), 'acme');
  const both = await open(second, first);
  await knex.raw('alter table ledger_seals disable trigger user');
  await knex('ledger_seals').update({ balance: 500 });
  await knex.raw('alter table ledger_seals enable trigger user');
  expect((await rotate(both)).wrongSeals).toBe(1);
  const after = await open(second);
  expect(await inspectSeals(knex, after, 1_000)).toMatchObject([{ forged: true }]);
});
