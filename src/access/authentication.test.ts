/** Tests the order of 401 and 403, and how long a client may be known from memory. */
import { describe, expect, test } from '@jest/globals';
import { errors } from '../platform/errors.ts';
import { testEvery } from '../platform/for-every-testing.ts';
import { createAuthentication } from './authentication.ts';
import type { Client } from './client.ts';
import { client } from './client-testing.ts';
import type { VerifyToken } from './issuers/verified-tokens.ts';

const request = { authorization: 'Bearer good', address: '203.0.113.9', scope: 'a.read' };

/** Knows the token `good`, and `newer` of a millisecond later, with the scopes `a.write a.read c.read`. */
const verifyToken: VerifyToken = async (token) => {
  const validFromMs = { good: 1_700_000_000_123, newer: 1_700_000_000_124 }[token];
  if (validFromMs === undefined) throw errors.invalidToken();
  const scopes = ['a.write', 'a.read', 'c.read'];
  return { issuer: null, clientId: 'client-1', scopes, validFromMs, expiresAtMs: 3_600_000, kid: 'key' };
};

function setUp(stored: Client | undefined = client) {
  const clock = { nowMs: 1000, elapsedMs: () => clock.nowMs };
  const clients = { stored, lookups: 0 };
  const findClient = async (id: string) => {
    clients.lookups += 1;
    return clients.stored?.id === id ? clients.stored : undefined;
  };
  return { clock, clients, authentication: createAuthentication({ verifyToken, findClient, clock }) };
}

describe('a request is authenticated', () => {
  testEvery([
    ['with token, address and scope', request],
    ['with the scheme in another case', { ...request, authorization: 'bEARER good' }],
    ['with more spaces behind the scheme', { ...request, authorization: 'Bearer   good' }],
    ['without a scope where none is needed', { ...request, scope: undefined }],
  ])('%s', async (_rule, credentials) => {
    const { authentication } = setUp();
    await expect(authentication.authenticate(credentials)).resolves.toEqual({
      clientId: 'client-1',
      teamId: 'team-1',
      scopes: ['a.read', 'a.write'],
    });
  });
});

describe('a request is refused', () => {
  const disabled = { ...client, enabled: false };
  const withdrawn = { ...client, scopes: ['a.write'] };
  const { missingToken, invalidToken, clientDisabled, addressNotAllowed, missingScope } = errors;
  const elsewhere = { ...request, address: '198.51.100.1' };

  testEvery([
    ['no Authorization', client, { ...request, authorization: undefined }, missingToken()],
    ['another scheme', client, { ...request, authorization: 'Basic good' }, missingToken()],
    ['a scheme that only begins so', client, { ...request, authorization: 'Bearers good' }, missingToken()],
    ['the scheme alone', client, { ...request, authorization: 'Bearer' }, missingToken()],
    ['the scheme and spaces', client, { ...request, authorization: 'Bearer   ' }, missingToken()],
    ['a bad token', client, { ...request, authorization: 'Bearer bad' }, invalidToken()],
    ['two tokens', client, { ...request, authorization: 'Bearer good good' }, invalidToken()],
    ['a client that is gone', { ...client, id: 'other' }, request, invalidToken('unknown-client')],
    [
      'a client of another issuer',
      { ...client, issuer: 'https://id.example' },
      request,
      invalidToken('unknown-client'),
    ],
    ['a disabled client, before its address', disabled, elsewhere, clientDisabled()],
    ['an address off the list, before the scope', withdrawn, elsewhere, addressNotAllowed()],
    [
      'a scope that neither client nor token has',
      client,
      { ...request, scope: 'd.read' },
      missingScope('d.read'),
    ],
    ['a scope that the token lacks', client, { ...request, scope: 'b.read' }, missingScope('b.read')],
    ['a scope that only the token has', client, { ...request, scope: 'c.read' }, missingScope('c.read')],
    ['a scope that the client lost', withdrawn, request, missingScope('a.read')],
  ])('%s', async (_rule, stored, credentials, rejection) => {
    const { authentication } = setUp(stored);
    const refusal = await authentication.authenticate(credentials).catch((error: unknown) => error);
    // Jest compares errors by their message alone.
    expect({ ...(refusal as object) }).toEqual({ ...rejection });
  });
});

describe('revoked tokens', () => {
  const revoked = { ...client, tokensValidFromMs: client.tokensValidFromMs + 1 };
  const newer = { ...request, authorization: 'Bearer newer' };

  test('older ones end within 5 s, even if they were already verified', async () => {
    const { authentication, clients, clock } = setUp();
    await authentication.authenticate(request);
    clients.stored = revoked;
    clock.nowMs += 5000;
    await expect(authentication.authenticate(request)).rejects.toEqual(errors.invalidToken());
  });

  test('one issued later within the same second works', async () => {
    const { authentication } = setUp(revoked);
    await expect(authentication.authenticate(newer)).resolves.toBeDefined();
  });

  test('one of a client that was enabled again works at once, whatever the cache holds', async () => {
    const { authentication, clients } = setUp({ ...client, enabled: false });
    await expect(authentication.authenticate(request)).rejects.toEqual(errors.clientDisabled());
    clients.stored = revoked;
    await expect(authentication.authenticate(newer)).resolves.toBeDefined();
    expect(clients.lookups).toBe(2);
  });

  test('a disabled client is told so, not that its token expired', async () => {
    const { authentication } = setUp({ ...revoked, enabled: false });
    await expect(authentication.authenticate(request)).rejects.toEqual(errors.clientDisabled());
  });
});

test('a client is known for less than 5 s: a disabled one stops then', async () => {
  const { authentication, clients, clock } = setUp();
  await authentication.authenticate(request);
  clients.stored = { ...client, enabled: false };
  clock.nowMs += 4999;
  await expect(authentication.authenticate(request)).resolves.toBeDefined();
  clock.nowMs += 1;
  await expect(authentication.authenticate(request)).rejects.toEqual(errors.clientDisabled());
  expect(clients.lookups).toBe(2);
});

test('an invalid token causes no look-up', async () => {
  const { authentication, clients } = setUp();
  await authentication.authenticate({ ...request, authorization: 'Bearer bad' }).catch(() => {});
  expect(clients.lookups).toBe(0);
});
