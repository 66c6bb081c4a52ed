/** Tokens of a real OpenID Connect provider, which of their issuers are trusted, and which tokens are remembered. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { errors } from '../../platform/errors.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import { createIssuers } from './issuers.ts';
import { type OpenIdProvider, startOpenIdProvider } from './openid-testing.ts';
import { parseTrustedIssuers, type TrustedIssuer } from './trusted-issuer.ts';
import { rememberVerified, type VerifiedToken, type VerifyToken } from './verified-tokens.ts';

const audience = 'https://tarishi.example';
const scope = 'message.sms.send.oneway';
const own = { issuer: null, clientId: 'own', scopes: [], validFromMs: 0, expiresAtMs: 0, kid: 'own' };
const verifyOwn: VerifyToken = async (token) => {
  if (token !== 'own') throw errors.invalidToken();
  return own;
};

let provider: OpenIdProvider;
let token: string;
beforeAll(async () => {
  provider = await startOpenIdProvider(['shop']);
  token = await provider.token({ client: 'shop', audience, scope });
});
afterAll(() => provider.stop());

const trusted = (settings: object = {}): TrustedIssuer => {
  const parsed = parseTrustedIssuers(JSON.stringify([{ issuer: provider.issuer, audience, ...settings }]));
  if (typeof parsed === 'string' || parsed[0] === undefined) throw new Error(String(parsed));
  return parsed[0];
};
const verifyBy = (issuer: TrustedIssuer): VerifyToken =>
  createIssuers([issuer], verifyOwn, {
    clock: { now: () => Date.now(), elapsedMs: () => 0 },
    onReachable: () => {},
  });

test('a token for our audience names its client, scopes and times', async () => {
  const verified = await verifyBy(trusted())(token);
  expect(verified).toMatchObject({ issuer: provider.issuer, clientId: 'shop', scopes: [scope] });
  expect(verified.expiresAtMs - verified.validFromMs).toBe(600_000 - 999);
});

test('settings may name the keys instead of the metadata, and the claims for client and scopes', async () => {
  const settings = { jwksUrl: `${provider.issuer}/jwks`, clientIdClaim: 'sub', scopeClaim: 'client_id' };
  const verify = verifyBy(trusted(settings));
  expect(await verify(token)).toMatchObject({ clientId: 'shop', scopes: ['shop'] });
  await expect(verifyBy(trusted({ clientIdClaim: 'nobody' }))(token)).rejects.toEqual(errors.invalidToken());
});

test('what names no trusted issuer is ours or refused', async () => {
  expect(await verifyBy(trusted())('own')).toBe(own);
  const verify = verifyBy({ ...trusted(), issuer: 'https://other.example' });
  await expect(verify(token)).rejects.toEqual(errors.invalidToken());
});

testEvery([
  ['{', 'is not valid JSON'],
  ['{}', 'must be a JSON list of objects'],
  ['[1]', 'entry 1 must be an object'],
  ['[{"issuer":"https://a.example"}]', 'entry 1 needs audience'],
  ['[{"issuer":"a.example","audience":"b"}]', 'entry 1 issuer must be an http or https URL'],
  [
    '[{"issuer":"https://a.example","audience":"b","jwks":"c","scopeClaim":1}]',
    'entry 1 has the unknown property jwks; entry 1 scopeClaim must be a string',
  ],
  [
    '[{"issuer":"https://a.example","audience":"b"},{"issuer":"https://a.example","audience":"c"}]',
    'lists https://a.example more than once',
  ],
])('TRUSTED_ISSUERS=%s %s', (text, fault) => {
  expect(parseTrustedIssuers(text)).toBe(fault);
});

test('an address that may verify no more tokens is still served with one that was verified a moment ago', async () => {
  const clock = { nowMs: 1_000, now: () => clock.nowMs, elapsedMs: () => clock.nowMs };
  const granted: VerifiedToken = { ...own, expiresAtMs: 3_600_000 };
  const verify = rememberVerified(async () => granted, clock);
  const refuse = () => {
    throw new Error('too often');
  };
  await expect(verify('token', refuse)).rejects.toThrow('too often');
  await verify('token', () => {});
  expect(await verify('token', refuse)).toBe(granted);
  await expect(verify('another', refuse)).rejects.toThrow('too often');
  clock.nowMs += 60_000;
  await expect(verify('token', refuse)).rejects.toThrow('too often');
});
