/** Tests that a rotation reaches a running process, and that it goes on while keys cannot be read. */
import { expect, test } from '@jest/globals';
import { createSecrets } from '../platform/secrets/secrets.ts';
import { openKeyring } from './keyring.ts';
import { makeKey, type StoredKey } from './keys.ts';

const secrets = createSecrets(Buffer.alloc(32, 1));

async function setUp() {
  const clock = { nowMs: 0, now: () => clock.nowMs, elapsedMs: () => clock.nowMs };
  const stored: StoredKey[] = [await makeKey(secrets, new Date(0))];
  const store = { failure: undefined as Error | undefined, loads: 0 };
  const faults: string[] = [];
  const keyring = await openKeyring({
    store: {
      load: async () => {
        store.loads += 1;
        if (store.failure) throw store.failure;
        return [...stored];
      },
      insertIfNone: async () => {},
    },
    secrets,
    clock,
    onFault: (error) => faults.push((error as Error).message),
  });
  return { clock, stored, store, faults, keyring };
}

test('a new key is published within 5 s, signs from its time on, and the former one still verifies', async () => {
  const { clock, stored, keyring } = await setUp();
  const next = await makeKey(secrets, new Date(60_000), new Date(0));
  const [former] = stored;
  stored.push(next);
  clock.nowMs = 5_000;
  const published = await keyring.current();
  expect(published.jwks.keys.map(({ kid }) => kid)).toEqual([next.kid, former?.kid]);
  expect(published.signing.kid).toBe(former?.kid);
  clock.nowMs = 60_000;
  const rotated = await keyring.current();
  expect(rotated.signing.kid).toBe(next.kid);
  expect([...rotated.verify.keys()]).toEqual([next.kid, former?.kid]);
});

test('keys are read once in 5 s, however many callers there are', async () => {
  const { clock, store, keyring } = await setUp();
  await Promise.all(Array.from({ length: 20 }, () => keyring.current()));
  clock.nowMs = 4_999;
  await keyring.current();
  expect(store.loads).toBe(2);
});

test('while they cannot be read, the last known ones stay in use', async () => {
  const { clock, store, faults, keyring } = await setUp();
  const before = await keyring.current();
  store.failure = new Error('the database is away');
  clock.nowMs = 5_000;
  expect(await keyring.current()).toBe(before);
  expect(faults).toEqual(['the database is away']);
});
