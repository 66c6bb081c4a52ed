/** Tests what the server key protects: hashes, seals and the secrets we make. */
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { testEvery } from '../for-every-testing.ts';
import { createSecrets, generateClientSecret, generateSigningSecret, placeOf } from './secrets.ts';

const seed = Number(process.env.SEED);
const secrets = createSecrets(Buffer.alloc(32, 1));
const others = createSecrets(Buffer.alloc(32, 2));
const here = placeOf.signingSecret('shop');
/** Version and key. */
const prefix = secrets.encrypt('x', here).replace(/[\w-]+$/, '');
const start = prefix.length;

test('a hash is an HMAC-SHA256 in hex, of the secret, with the server key', () => {
  const hash = secrets.hash('correct horse');
  expect(hash).toMatch(/^[0-9a-f]{8}\.[0-9a-f]{64}$/);
  expect(createSecrets(Buffer.alloc(32, 1)).hash('correct horse')).toBe(hash);
  expect([secrets.hash('correct horsf'), others.hash('correct horse')]).not.toContain(hash);
});

const good = secrets.hash('good');
const bad = secrets.hash('bad');
testEvery([
  ['the first of two', [good, bad], true],
  ['the second of two', [bad, good], true],
  ['another hash', [bad], false],
  ['no hash at all', [], false],
  ['a hash under another server key', [others.hash('good')], false],
  ['a truncated hash', [good.slice(0, 71)], false],
  ['an invalid hash', ['', 'not hex'], false],
  ['a broken hash before the right one', ['', good], true],
])('matches: %s', (_rule, hashes, expected) => {
  expect(secrets.matches('good', hashes)).toBe(expected);
});

describe('seal', () => {
  test(`opens to what was sealed, any text (SEED=${seed})`, () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (plain) => {
        expect(secrets.decrypt(secrets.encrypt(plain, here), here)).toBe(plain);
      }),
      { seed },
    );
  });

  test('has the versioned form and never shows the text', () => {
    const sealed = secrets.encrypt('whsec_visible', here);
    expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[A-Za-z0-9_-]+$/);
    expect(Buffer.from(sealed.slice(start), 'base64url').toString('latin1')).not.toContain('visible');
    // nonce 12, tag 16
    expect(Buffer.from(sealed.slice(start), 'base64url')).toHaveLength(12 + 13 + 16);
  });

  test('uses a new nonce every time', () => {
    const nonces = Array.from({ length: 100 }, () => secrets.encrypt('x', here).slice(0, start + 16));
    expect(new Set(nonces).size).toBe(100);
  });

  test('does not open with another server key', () => {
    expect(() => others.decrypt(secrets.encrypt('x', here), here)).toThrow(/server key is not the one/);
  });

  test.each([
    ['row', placeOf.signingSecret('other')],
    ['column', placeOf.tokenKey('shop')],
  ])('does not open in another %s', (_rule, place) => {
    expect(() => secrets.decrypt(secrets.encrypt('x', here), place)).toThrow(
      `The sealed value in ${place.column} of "${place.row}" cannot be opened: the server key is not the one it was sealed with, or the value belongs to another row.`,
    );
  });

  test('does not open when any byte was changed', () => {
    const bytes = Buffer.from(secrets.encrypt('abc', here).slice(start), 'base64url');
    for (let index = 0; index < bytes.length; index++) {
      const altered = Buffer.from(bytes);
      altered[index] = (altered[index] ?? 0) ^ 1;
      expect(() => secrets.decrypt(prefix + altered.toString('base64url'), here)).toThrow(/cannot be opened/);
    }
  });

  testEvery([
    ['an empty value', ''],
    ['plain text', 'whsec_abc'],
    ['an unknown version', secrets.encrypt('x', here).replace('v1.', 'v2.')],
    ['too short for nonce and tag', prefix + Buffer.alloc(27).toString('base64url')],
  ])('says that %s is not a sealed value', (_rule, value) => {
    expect(() => secrets.decrypt(value, here)).toThrow('This is not a sealed value of a known version.');
  });
});

testEvery([0, 16, 31, 33, 64])('a server key of %d bytes is refused', (bytes) => {
  expect(() => createSecrets(randomBytes(bytes))).toThrow('The server key must have 32 bytes.');
});

describe('generated secrets', () => {
  test('a client secret is 32 bytes in base64url, never the same', () => {
    expect(generateClientSecret()).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(generateClientSecret()).not.toBe(generateClientSecret());
  });

  test('a signing secret is whsec_ and 32 bytes in base64, never the same', () => {
    const secret = generateSigningSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    expect(secret).not.toBe(generateSigningSecret());
  });
});
