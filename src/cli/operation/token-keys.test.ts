/** Token keys as operators exchange them: published first, signing later, gone when they leaked. */
import { beforeEach, expect, test } from '@jest/globals';
import { loadKeys } from '../../access/keys.ts';
import { createClientRepository } from '../../access/repository.ts';
import { systemClock } from '../../platform/clock.ts';
import { clearTables } from '../../platform/db/testing.ts';
import { useCommandLine } from '../line/testing.ts';

const { database, secrets, tarishi } = useCommandLine();
let first: string;
beforeEach(async () => {
  await clearTables(database.knex, 'token_keys');
  first = (await keys()).signing.kid;
});

const keys = () => loadKeys(createClientRepository(database.knex), secrets, systemClock);
/** As if `seconds` had passed. */
const pass = (seconds: number) =>
  database.knex.raw(`update token_keys set signs_from = signs_from - ? * interval '1 second'`, [seconds]);

test('rotate publishes a key that signs later; the former one verifies until its last token has expired', async () => {
  const rotated = await tarishi('token-key rotate --after 20');
  expect(rotated).toMatchObject([{ state: 'published' }, { key: first, state: 'signs' }]);
  const published = await keys();
  const next = published.jwks.keys[0]?.kid;
  expect([...published.verify.keys()]).toEqual([next, first]);
  expect(published.signing.kid).toBe(first);
  expect(await tarishi('token-key rotate')).toMatch(
    /^key \S+ is already published and starts to sign at \S+Z$/,
  );

  await pass(20 * 60);
  expect(await tarishi('token-key list')).toMatchObject([
    { key: next, state: 'signs' },
    { key: first, state: 'verifies' },
  ]);
  expect((await keys()).signing.kid).toBe(next);

  await pass(3660);
  expect(await tarishi('token-key list')).toMatchObject([{ key: next, state: 'signs' }]);
  expect([...(await keys()).verify.keys()]).toEqual([next]);
  await tarishi('token-key rotate');
  expect(await database.knex('token_keys').where({ kid: first })).toEqual([]);
});

test('revoke removes a key at once, and makes another one sign if it did', async () => {
  const revoked = await tarishi(`token-key revoke ${first}`);
  expect(revoked).toMatchObject([{ state: 'signs' }]);
  const { signing, verify } = await keys();
  expect(signing.kid).not.toBe(first);
  expect(verify.has(first)).toBe(false);
  expect(await tarishi(`token-key revoke ${first}`)).toBe(`token key ${first} does not exist`);
});

test('each change leaves an entry in the audit log, a list none', async () => {
  const { id: last } = (await database.knex('audit_log').max('id as id').first()) ?? {};
  const added = () =>
    database
      .knex('audit_log')
      .where('id', '>', last ?? 0)
      .orderBy('id');
  await tarishi('token-key list');
  expect(await added()).toEqual([]);
  await tarishi('token-key rotate');
  await tarishi(`token-key revoke ${first}`);
  const by = { actor_kind: 'command line', actor_name: 'tester', noun: 'token key' };
  expect(await added()).toMatchObject([
    { ...by, action: 'rotate' },
    { ...by, action: 'revoke', noun_id: first },
  ]);
});
