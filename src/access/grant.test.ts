/** Tests the client credentials grant: who gets a token, which scopes, and which error otherwise. */
import { describe, expect } from '@jest/globals';
import { errors, type Rejection } from '../platform/errors.ts';
import { testEvery } from '../platform/for-every-testing.ts';
import { createSecrets } from '../platform/secrets/secrets.ts';
import type { Client } from './client.ts';
import { client } from './client-testing.ts';
import { grantToken, type TokenRequest } from './grant.ts';

const secrets = createSecrets(Buffer.alloc(32, 1));
const secret = 'Zq-3_first';
const nextSecret = 'Zq-3_second';
const shop: Client = {
  ...client,
  id: 'shop',
  secretHashes: [secrets.hash(secret), secrets.hash(nextSecret)],
};
const clients: Record<string, Client> = {
  shop,
  off: { ...shop, id: 'off', enabled: false },
  'a:b c%': { ...shop, id: 'a:b c%', secretHashes: [secrets.hash('p:+%&=')] },
};

function grant(request: Omit<TokenRequest, 'address'>, address = '203.0.113.9') {
  const asked = { lookups: [] as string[], hashed: 0 };
  const answer = grantToken(
    { ...request, address },
    {
      findClient: async (id) => {
        asked.lookups.push(id);
        return clients[id];
      },
      secrets: {
        matches: (given, hashes) => {
          asked.hashed += 1;
          return secrets.matches(given, hashes);
        },
      },
      tokens: {
        issue: async ({ id }, scopes) => ({
          accessToken: `token of ${id}`,
          expiresInSeconds: 3600,
          scope: scopes.join(' '),
        }),
      },
    },
  );
  return { answer, asked };
}

/** The rejection with all its fields: Jest compares errors by their message alone. */
async function refusalOf(answer: Promise<unknown>): Promise<object> {
  return { ...(await answer.then(() => ({ granted: true })).catch((error: object) => error)) };
}

const bareForm = { grant_type: 'client_credentials' };
const form = { ...bareForm, client_id: 'shop', client_secret: secret };
const basic = (joined: string) => `Basic ${Buffer.from(joined).toString('base64')}`;
const byBasic = (joined = `shop:${secret}`, more: Partial<typeof form> = {}) => ({
  form: { ...bareForm, ...more },
  authorization: basic(joined),
});
type Request = Omit<TokenRequest, 'address'>;

/** The reason is for the log only. */
const invalidClient = { ...errors.invalidClient(''), reason: expect.any(String) };

testEvery<[string, Request, string]>([
  ['credentials in the form', { form }, 'shop'],
  ['the second secret while rotating', { form: { ...form, client_secret: nextSecret } }, 'shop'],
  ['HTTP Basic', byBasic(), 'shop'],
  [
    'the scheme in another case',
    { form: bareForm, authorization: basic(`shop:${secret}`).replace('Basic', 'bASIC') },
    'shop',
  ],
  ['Basic and the same client_id in the form', byBasic(undefined, { client_id: 'shop' }), 'shop'],
  [
    'Basic and empty credentials in the form, which count as absent',
    byBasic(undefined, { client_id: '', client_secret: '' }),
    'shop',
  ],
  ['Basic with form-urlencoded id and secret', byBasic('a%3Ab+c%25:p%3A%2B%25%26%3D'), 'a:b c%'],
  ['Basic with a colon left in the secret', byBasic('a%3Ab+c%25:p:%2B%25%26%3D'), 'a:b c%'],
])('a token is granted by %s', async (_rule, request, clientId) => {
  await expect(grant(request).answer).resolves.toEqual({
    accessToken: `token of ${clientId}`,
    expiresInSeconds: 3600,
    scope: 'a.read a.write b.read',
  });
});

testEvery<[string, string, string | undefined]>([
  ['empty: all of the client', '', 'a.read a.write b.read'],
  ['in the order of the client', 'b.read a.read', 'a.read b.read'],
  ['each once', 'a.read a.read', 'a.read'],
  ['more spaces than needed', ' a.read  b.read ', 'a.read b.read'],
  ['one that the client does not have', 'a.read c.read', undefined],
  ['a tab as separator', 'a.read\tb.read', undefined],
])('scopes: %s', async (_rule, scope, expected) => {
  const { answer } = grant({ form: { ...form, scope } });
  if (expected === undefined) expect(await refusalOf(answer)).toEqual({ ...errors.invalidScope() });
  else expect(await answer).toMatchObject({ scope: expected });
});

describe('invalid_client, always the same', () => {
  testEvery<[string, Request, string?]>([
    ['unknown client', { form: { ...form, client_id: 'nobody' } }],
    ['disabled client', { form: { ...form, client_id: 'off' } }],
    [
      'wrong secret, before the grant type and the scope',
      { form: { ...form, client_secret: 'wrong', grant_type: 'password', scope: 'c.read' } },
    ],
    ['an address off the list', { form }, '198.51.100.1'],
    ['no credentials', { form: bareForm }],
    ['Basic without a colon', byBasic('shop')],
    [
      'Basic with a stray character',
      { form: bareForm, authorization: basic(`shop:${secret}`).replace('c2', 'c!2') },
    ],
    ['Basic with a bad escape', byBasic(`shop%zz:${secret}`)],
    ['Basic with an escaped NUL', byBasic(`shop%00:${secret}`)],
    ['another scheme', { form: bareForm, authorization: 'Bearer abc' }],
  ])('%s', async (_rule, request, address) => {
    expect(await refusalOf(grant(request, address).answer)).toEqual(invalidClient);
  });

  testEvery(['shop', 'off', 'nobody'])('one look-up and one hash for %s', async (clientId) => {
    const { answer, asked } = grant({ form: { ...form, client_id: clientId, client_secret: 'wrong' } });
    await refusalOf(answer);
    expect(asked).toEqual({ lookups: [clientId], hashed: 1 });
  });

  testEvery(['shop\u0000', 'schöp', 'shop\n', 'x'.repeat(256)])(
    'no look-up for an impossible id: %j',
    async (clientId) => {
      const { answer, asked } = grant({ form: { ...form, client_id: clientId } });
      expect(await refusalOf(answer)).toEqual(invalidClient);
      expect(asked.lookups).toEqual([]);
    },
  );
});

testEvery(['password', 'CLIENT_CREDENTIALS'])('%j is refused, before the scope', async (grantType) => {
  const request = { form: { ...form, grant_type: grantType, scope: 'c.read' } };
  expect(await refusalOf(grant(request).answer)).toEqual({ ...errors.unsupportedGrantType() });
});

testEvery<[string, Request, Rejection]>([
  ['Basic and a secret in the form', byBasic(undefined, form), errors.credentialsTwice()],
  ['a malformed Basic and a secret', { form, authorization: 'Basic !' }, errors.credentialsTwice()],
  [
    'another client_id than that of Basic',
    byBasic(undefined, { client_id: 'off' }),
    errors.clientIdsDiffer(),
  ],
])('invalid_request, before any look-up: %s', async (_rule, request, rejection) => {
  const { answer, asked } = grant(request);
  expect(await refusalOf(answer)).toEqual({ ...rejection });
  expect(asked).toEqual({ lookups: [], hashed: 0 });
});
