/** Who may call: the token endpoint, tokens and scopes, the keys that verify them. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { call, tokenFor } from '../../support/service/api.ts';
import { type Service, startService } from '../../support/service/service.ts';

let service: Service;
let base: string;

beforeAll(async () => {
  service = await startService();
  base = service.demo.baseUrl;
});
afterAll(() => service.dispose());

const scopes = [
  'message.sms.send.oneway',
  'reward.mobile-data.disburse',
  'message.chatapp.send',
  'message.read',
  'message.cancel',
  'receipt.send',
  'opt-out.read',
  'opt-out.write',
];
const scope = scopes.join(' ');

function ask(form: Record<string, string> | string, headers: Record<string, string> = {}) {
  const body = typeof form === 'string' ? form : new URLSearchParams(form).toString();
  return call(base, '/oauth/token', {
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
}

const credentials = () => ({ client_id: service.demo.clientId, client_secret: service.demo.clientSecret });
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
});
const grant_type = 'client_credentials';

describe('200 token', () => {
  test('credentials in the form: an RFC 9068 token of one hour, verified by the published keys', async () => {
    const answer = await ask({ grant_type, ...credentials() });
    expect(answer.body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope,
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const token: string = answer.body.access_token;
    expect(decodeProtectedHeader(token)).toMatchObject({
      alg: 'ES256',
      typ: 'at+jwt',
      kid: expect.any(String),
    });
    const { payload } = await jwtVerify(token, createRemoteJWKSet(new URL(`${base}/.well-known/jwks.json`)), {
      issuer: base,
      typ: 'at+jwt',
    });
    expect(payload).toMatchObject({ client_id: 'demo', sub: 'demo', scope, jti: expect.any(String) });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600);
  });

  test('HTTP Basic', async () => {
    const { client_id, client_secret } = credentials();
    const answer = await ask({ grant_type }, basic(client_id, client_secret));
    expect([answer.status, answer.body.scope]).toEqual([200, scope]);
  });

  test('a subset of the scopes', async () => {
    for (const scope of scopes)
      expect((await ask({ grant_type, ...credentials(), scope })).body.scope).toBe(scope);
  });
});

describe('errors of RFC 6749', () => {
  test.each<[string, number, string, () => Parameters<typeof ask>]>([
    ['a wrong secret', 401, 'invalid_client', () => [{ grant_type, ...credentials(), client_secret: 'x' }]],
    [
      'an unknown client',
      401,
      'invalid_client',
      () => [{ grant_type, client_id: 'nobody', client_secret: 'x' }],
    ],
    ['no credentials', 401, 'invalid_client', () => [{ grant_type }]],
    ['malformed Basic', 401, 'invalid_client', () => [{ grant_type }, { authorization: 'Basic %%%' }]],
    ['another grant', 400, 'unsupported_grant_type', () => [{ ...credentials(), grant_type: 'password' }]],
    ['no grant', 400, 'invalid_request', () => [credentials()]],
    [
      'a scope that the client does not have',
      400,
      'invalid_scope',
      () => [{ grant_type, ...credentials(), scope: 'admin' }],
    ],
    [
      'Basic and form at once',
      400,
      'invalid_request',
      () => [{ grant_type, ...credentials() }, basic('demo', 'x')],
    ],
    [
      'another client in the form than in Basic',
      400,
      'invalid_request',
      () => [{ grant_type, client_id: 'other' }, basic('demo', 'x')],
    ],
    [
      'a repeated parameter',
      400,
      'invalid_request',
      () => [`grant_type=${grant_type}&grant_type=${grant_type}`],
    ],
    ['JSON', 400, 'invalid_request', () => ['{}', { 'content-type': 'application/json' }]],
  ])('%s: %i %s', async (_rule, status, error, args) => {
    const answer = await ask(...args());
    expect([answer.status, answer.body]).toEqual([status, { error, error_description: expect.any(String) }]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    if (status === 401) expect(answer.headers.get('www-authenticate')).toBe('Basic realm="tarishi"');
  });

  test('an unknown client and a wrong secret get the same response, byte for byte', async () => {
    const unknown = await ask({ grant_type, client_id: 'nobody', client_secret: 'x' });
    const wrong = await ask({ grant_type, ...credentials(), client_secret: 'x' });
    expect(unknown.text).toBe(wrong.text);
  });
});

describe('documents', () => {
  test('RFC 8414 metadata', async () => {
    const { body } = await call(base, '/.well-known/oauth-authorization-server', { method: 'GET' });
    expect(body).toMatchObject({
      issuer: base,
      token_endpoint: `${base}/oauth/token`,
      jwks_uri: `${base}/.well-known/jwks.json`,
      scopes_supported: expect.arrayContaining(scopes),
      grant_types_supported: ['client_credentials'],
    });
  });

  test('the key set holds public parts only', async () => {
    const { body } = await call(base, '/.well-known/jwks.json', { method: 'GET' });
    expect(body.keys).toHaveLength(1);
    expect(Object.keys(body.keys[0]).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  });

  test('the enforced document is published', async () => {
    const { body } = await call(base, '/openapi.json', { method: 'GET' });
    expect(Object.keys(body.paths)).toContain('/message/{serviceId}');
  });

  test('a token still works after a restart: keys are stored', async () => {
    const token = await tokenFor(base, service.demo);
    await service.stop();
    await service.restart();
    const answer = await call(base, `/message/${service.demo.smsServiceId}`, {
      token,
      body: { type: 'SendToMany', addresses: ['0711000000'], message: 'x' },
    });
    expect(answer.status).toBe(200);
  });
});

// Last: until it is over, this address has to wait.
describe('429 token: Too many requests were rejected. Try again later.', () => {
  test('after a hundred failed log-ins at once; clients with a token are still served', async () => {
    const token = await tokenFor(base, service.demo);
    const send = () =>
      call(base, `/message/${service.demo.smsServiceId}`, {
        token,
        body: { type: 'SendToMany', addresses: ['0711000000'], message: 'x' },
      });
    expect((await send()).status).toBe(200);

    const wrong = () => ask({ grant_type, ...credentials(), client_secret: 'x' });
    let refused: Awaited<ReturnType<typeof ask>> | undefined;
    while (refused === undefined) {
      const answers = await Promise.all(Array.from({ length: 50 }, wrong));
      expect(answers.filter(({ status }) => status !== 401 && status !== 429)).toEqual([]);
      refused = answers.find(({ status }) => status === 429);
    }
    expect(refused.body).toEqual({
      error: 'rate_limit_exceeded',
      error_description: 'Too many requests were rejected. Try again later.',
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await send()).status).toBe(200);
  });
});
