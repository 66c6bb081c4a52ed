/** Who may call: the token endpoint, tokens and scopes, the keys that verify them. */
import { beforeAll, expect, test } from '@jest/globals';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { call } from '../../support/service/api.ts';
import { type SharedService, sharedService } from '../../support/shared/service.ts';

let service: SharedService;
let base: string;

beforeAll(() => {
  service = sharedService();
  base = service.demo.baseUrl;
});

const scopes = [
  'message.sms.send.oneway',
  'reward.mobile-data.disburse',
  'message.chatapp.send',
  'message.read',
  'message.cancel',
  'message.confirm',
  'receipt.send',
  'opt-out.read',
  'opt-out.write',
];
const scope = scopes.join(' ');

const ask = (form: Record<string, string>) =>
  call(base, '/oauth/token', {
    body: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

const credentials = () => ({ client_id: service.demo.clientId, client_secret: service.demo.clientSecret });
const grant_type = 'client_credentials';

test('200: an RFC 9068 token of one hour, verified by the published keys', async () => {
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

test('errors are kept by nobody, and a 401 says how to log in', async () => {
  const refused = [await ask({ grant_type }), await ask(credentials())];
  expect(refused.map(({ status, body }) => [status, body.error])).toEqual([
    [401, 'invalid_client'],
    [400, 'invalid_request'],
  ]);
  for (const { headers } of refused) expect(headers.get('cache-control')).toBe('no-store');
  expect(refused[0]?.headers.get('www-authenticate')).toBe('Basic realm="tarishi"');
});

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
