/** Token keys are made once, opened only with their server key, published without secrets, and rotated while processes run. */
import { describe, expect, test } from '@jest/globals';
import { calculateJwkThumbprint } from 'jose';
import { testEvery } from '../platform/for-every-testing.ts';
import { createSecrets, placeOf } from '../platform/secrets/secrets.ts';
import { openKeyring } from './keyring.ts';
import { type KeyStore, keysAt, loadKeys, makeKey, type StoredKey } from './keys.ts';

const secrets = createSecrets(Buffer.alloc(32, 1));
const load = (store: KeyStore, ms = 0) => loadKeys(store, secrets, { now: () => ms });

function memoryStore(stored: StoredKey[] = []): KeyStore & { stored: StoredKey[] } {
  return {
    stored,
    load: async () => [...stored],
    insertIfNone: async (key) => {
      if (stored.length === 0) stored.push(key);
    },
  };
}

async function storedAt(ms: number): Promise<StoredKey> {
  const store = memoryStore();
  await load(store, ms);
  const [key] = store.stored;
  if (key === undefined) throw new Error('no key was made');
  return key;
}

test('the first start makes a key, the next one finds it', async () => {
  const store = memoryStore();
  const first = await load(store, 1000);
  const second = await load(store, 2000);
  expect(second.signing.kid).toBe(first.signing.kid);
  expect(second.jwks).toEqual(first.jwks);
  expect(store.stored.map(({ createdAt }) => createdAt.getTime())).toEqual([1000]);
});

test('the kid is the thumbprint of RFC 7638 in hexadecimal, and nothing private is published', async () => {
  const { jwks, signing } = await load(memoryStore());
  const [jwk] = jwks.keys;
  if (jwk === undefined) throw new Error('no key is published');
  expect(Object.keys(jwk).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  expect(jwk).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid: signing.kid });
  const thumbprint = Buffer.from(await calculateJwkThumbprint(jwk), 'base64url');
  expect(signing.kid).toBe(thumbprint.toString('hex'));
  expect(signing.privateKey.extractable).toBe(false);
});

test('the private key is stored sealed', async () => {
  const { kid, privateJwk, publicJwk } = await storedAt(0);
  expect(privateJwk).toMatch(/^v1\./);
  expect(JSON.parse(secrets.decrypt(privateJwk, placeOf.tokenKey(kid)))).toHaveProperty('d');
  expect(publicJwk).not.toHaveProperty('d');
});

describe('a rotation', () => {
  const minutes = (n: number) => n * 60_000;
  const [former, next] = [
    { kid: 'former', signsFrom: new Date(0) },
    { kid: 'next', signsFrom: new Date(minutes(100)) },
  ];
  const at = (ms: number) => {
    const { signing, live } = keysAt([former, next], ms);
    return [signing?.kid, ...live.map(({ kid }) => kid)];
  };

  testEvery([
    ['publishes the new key before it signs', minutes(100) - 1, ['former', 'next', 'former']],
    ['lets it sign from then on', minutes(100), ['next', 'next', 'former']],
    ['keeps the former one for the life of its last token', minutes(161) - 1, ['next', 'next', 'former']],
    ['and deletes it afterwards', minutes(161), ['next', 'next']],
  ])('%s', (_rule, ms, expected) => {
    expect(at(ms)).toEqual(expected);
  });

  test('a key whose time has not come signs if there is no other', () => {
    expect(keysAt([next], 0)).toEqual({ signing: next, live: [next] });
  });
});

test('of keys of the same moment every process picks the same', async () => {
  const [a, b] = await Promise.all([storedAt(1000), storedAt(1000)]);
  const one = await load(memoryStore([a, b]));
  const other = await load(memoryStore([b, a]));
  expect(one.signing.kid).toBe(other.signing.kid);
});

test('another server key is refused with a clear error, and no second key is made', async () => {
  const store = memoryStore([await storedAt(0)]);
  const wrong = createSecrets(Buffer.alloc(32, 2));
  await expect(loadKeys(store, wrong, { now: () => 0 })).rejects.toThrow(/server key is not the one/);
  expect(store.stored).toHaveLength(1);
});

test('a private key under the kid of another is refused', async () => {
  const [a, b] = await Promise.all([storedAt(0), storedAt(0)]);
  const store = memoryStore([{ ...a, privateJwk: b.privateJwk }]);
  await expect(load(store)).rejects.toThrow(/belongs to another row/);
});

test('a public key that only someone with the table could have written is not trusted', async () => {
  const [ours, theirs] = await Promise.all([storedAt(0), storedAt(0)]);
  const { jwks } = await load(memoryStore([{ ...ours, publicJwk: theirs.publicJwk }]));
  expect(jwks.keys).toEqual([ours.publicJwk]);
});

test('a store that keeps nothing is an error', async () => {
  const forgetful: KeyStore = { load: async () => [], insertIfNone: async () => {} };
  await expect(load(forgetful)).rejects.toThrow('The key store kept no token key.');
});

/** Of a running process. */
async function openRing() {
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
  const { clock, stored, keyring } = await openRing();
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
  const { clock, store, keyring } = await openRing();
  await Promise.all(Array.from({ length: 20 }, () => keyring.current()));
  clock.nowMs = 4_999;
  await keyring.current();
  expect(store.loads).toBe(2);
});

test('while they cannot be read, the last known ones stay in use', async () => {
  const { clock, store, faults, keyring } = await openRing();
  const before = await keyring.current();
  store.failure = new Error('the database is away');
  clock.nowMs = 5_000;
  expect(await keyring.current()).toBe(before);
  expect(faults).toEqual(['the database is away']);
});
