/** Tests the form of access tokens, and that no other token is accepted. */
import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type CryptoKey, decodeJwt, generateKeyPair, SignJWT } from 'jose';
import { errors } from '../platform/errors.ts';
import { testEvery } from '../platform/for-every-testing.ts';
import { createSecrets } from '../platform/secrets/secrets.ts';
import { client } from './client-testing.ts';
import { loadKeys, type StoredKey, type TokenKeys } from './keys.ts';
import { createTokens } from './tokens.ts';

const startMs = Date.UTC(2030, 0, 1) + 250;
const start = Math.floor(startMs / 1000);
const issuer = 'https://tarishi.example';
const audience = 'tarishi';

let keys: TokenKeys;
let otherKey: CryptoKey;
beforeAll(async () => {
  otherKey = (await generateKeyPair('ES256')).publicKey;
  const stored: StoredKey[] = [];
  const store = {
    load: async () => stored,
    insertIfNone: async (key: StoredKey) => {
      stored.push(key);
    },
  };
  keys = await loadKeys(store, createSecrets(Buffer.alloc(32, 1)), { now: () => startMs });
});

function tokensAt(nowMs = startMs) {
  const clock = { nowMs, now: () => clock.nowMs, elapsedMs: () => clock.nowMs };
  // The key can be exchanged under its kid: what still verifies then came from the cache.
  const verify = new Map(keys.verify);
  const keyring = { current: async () => ({ ...keys, verify }) };
  const tokens = createTokens({ keyring, issuer, audience, clock });
  return {
    clock,
    tokens,
    exchangeKey: () => verify.set(keys.signing.kid, otherKey),
    revokeKey: () => verify.clear(),
  };
}

interface Forgery {
  header?: Record<string, unknown>;
  claims?: Record<string, unknown>;
  key?: CryptoKey;
}

/** A token like ours but for what is given; undefined leaves a member out. */
function forge({ header, claims, key }: Forgery = {}): Promise<string> {
  return new SignJWT({
    iss: issuer,
    aud: audience,
    sub: client.id,
    client_id: client.id,
    iat: start,
    exp: start + 3600,
    jti: '0b6cbd0c-6ea4-4d8a-9c5e-0a4d3cf7f5a1',
    scope: 'a.read',
    tokens_valid_from: client.tokensValidFromMs,
    ...claims,
  })
    .setProtectedHeader({ typ: 'at+jwt', alg: 'ES256', kid: keys.signing.kid, ...header })
    .sign(key ?? keys.signing.privateKey);
}

test('every token has an id of its own, and lives as long as it says', async () => {
  const settings = { keyring: { current: async () => keys }, issuer, audience };
  const clock = { now: () => startMs, elapsedMs: () => 0 };
  const { issue } = createTokens({ ...settings, clock, lifetimeSeconds: 60 });
  const [one, other] = await Promise.all([issue(client, []), issue(client, [])]);
  expect(one.expiresInSeconds).toBe(60);
  expect(decodeJwt(one.accessToken).exp).toBe(start + 60);
  expect(decodeJwt(one.accessToken).jti).not.toBe(decodeJwt(other.accessToken).jti);
});

describe('verify accepts', () => {
  test('what was issued', async () => {
    const { tokens } = tokensAt();
    const { accessToken } = await tokens.issue(client, ['a.read', 'a.write']);
    await expect(tokens.verify(accessToken)).resolves.toEqual({
      issuer: null,
      kid: keys.signing.kid,
      clientId: 'client-1',
      scopes: ['a.read', 'a.write'],
      validFromMs: client.tokensValidFromMs,
      expiresAtMs: (start + 3600) * 1000,
    });
  });

  testEvery<[string, Forgery]>([
    ['the token that the forgeries below start from', {}],
    ['the long form of the type', { header: { typ: 'application/at+jwt' } }],
    ['one audience of several', { claims: { aud: ['other', audience] } }],
  ])('%s', async (_rule, forgery) => {
    const { tokens } = tokensAt();
    await expect(tokens.verify(await forge(forgery))).resolves.toMatchObject({ clientId: 'client-1' });
  });

  test('a token until the second it expires, cached or not', async () => {
    const token = await forge();
    const { clock, tokens } = tokensAt((start + 3600) * 1000 - 1);
    await expect(tokens.verify(token)).resolves.toBeDefined();
    clock.nowMs += 1;
    await expect(tokens.verify(token)).rejects.toEqual(errors.invalidToken());
    await expect(tokensAt(clock.nowMs).tokens.verify(token)).rejects.toEqual(errors.invalidToken());
  });
});

describe('verify refuses, with its reason in the log,', () => {
  const refused = (token: string, reason: string) =>
    expect(tokensAt().tokens.verify(token)).rejects.toEqual(
      // Jest compares errors by their message alone.
      expect.objectContaining({ ...errors.invalidToken(), reason }),
    );

  testEvery<[string, Forgery, string]>([
    ['the type of an ID token', { header: { typ: 'JWT' } }, 'claim-typ'],
    ['an unknown kid', { header: { kid: 'unknown' } }, 'unknown-key'],
    ['no kid', { header: { kid: undefined } }, 'unknown-key'],
    ['another issuer', { claims: { iss: 'https://elsewhere.example' } }, 'claim-iss'],
    ['another audience', { claims: { aud: 'other' } }, 'claim-aud'],
    ['an expired token', { claims: { exp: start } }, 'expired'],
    ['no expiry', { claims: { exp: undefined } }, 'claims'],
    ['a token that is not valid yet', { claims: { nbf: start + 1 } }, 'claim-nbf'],
    ['a client that is not a string', { claims: { client_id: 7 } }, 'claims'],
    ['a generation that is not a number', { claims: { tokens_valid_from: '9' } }, 'claims'],
    ['no subject', { claims: { sub: undefined } }, 'claim-sub'],
    ['no time of issue', { claims: { iat: undefined } }, 'claim-iat'],
    ['no token id', { claims: { jti: undefined } }, 'claim-jti'],
    ['a scope that is not a string', { claims: { scope: ['a.read'] } }, 'claims'],
  ])('%s', async (_rule, forgery, reason) => {
    await refused(await forge(forgery), reason);
  });

  test('the signature of another key under our kid', async () => {
    const { privateKey } = await generateKeyPair('ES256');
    await refused(await forge({ key: privateKey }), 'signature');
  });

  test('no signature, and an HMAC with the public key as its secret', async () => {
    const [, claims] = (await forge()).split('.');
    const unsigned = (alg: string) =>
      `${Buffer.from(JSON.stringify({ typ: 'at+jwt', alg, kid: keys.signing.kid })).toString('base64url')}.${claims}`;
    await refused(`${unsigned('none')}.`, 'malformed');
    const mac = createHmac('sha256', JSON.stringify(keys.jwks.keys[0])).update(unsigned('HS256'));
    await refused(`${unsigned('HS256')}.${mac.digest('base64url')}`, 'malformed');
  });

  testEvery(['', 'a.b.c', 'e30.e30.', 'é.é.é'])('nonsense: %j', (token) => refused(token, 'malformed'));

  test('more than 4 KiB, though signed by us', async () => {
    const bare = (await forge({ claims: { pad: '' } })).length;
    const room = Math.floor(((4096 - bare) * 3) / 4);
    const fitting = await forge({ claims: { pad: 'x'.repeat(room) } });
    expect(fitting.length).toBeGreaterThan(4090);
    await expect(tokensAt().tokens.verify(fitting)).resolves.toBeDefined();
    await refused(await forge({ claims: { pad: 'x'.repeat(room + 6) } }), 'too-long');
  });
});

describe('the cache', () => {
  test('works for 60 s without the key, and not longer', async () => {
    const { clock, tokens, exchangeKey } = tokensAt();
    const token = await forge();
    await tokens.verify(token);
    exchangeKey();
    clock.nowMs += 59_999;
    await expect(tokens.verify(token)).resolves.toMatchObject({ clientId: 'client-1' });
    clock.nowMs += 1;
    await expect(tokens.verify(token)).rejects.toEqual(errors.invalidToken());
  });

  test('does not outlive a key that was revoked', async () => {
    const { tokens, revokeKey } = tokensAt();
    const token = await forge();
    await tokens.verify(token);
    revokeKey();
    await expect(tokens.verify(token)).rejects.toEqual(errors.invalidToken());
  });

  test('compares whole tokens', async () => {
    const { tokens, exchangeKey } = tokensAt();
    await tokens.verify(await forge());
    exchangeKey();
    await expect(tokens.verify(await forge())).rejects.toEqual(errors.invalidToken());
  });

  test('does not keep rejections', async () => {
    const { clock, tokens } = tokensAt();
    const token = await forge({ claims: { nbf: start + 1 } });
    await expect(tokens.verify(token)).rejects.toEqual(errors.invalidToken());
    clock.nowMs += 1000;
    await expect(tokens.verify(token)).resolves.toBeDefined();
  });
});
