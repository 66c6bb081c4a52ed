/** Tokens of a real OpenID Connect provider: what is accepted, what is not, and what happens while it is down. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { errors } from '../../platform/errors.ts';
import { createIssuers } from './issuers.ts';
import { type OpenIdProvider, startOpenIdProvider } from './openid-testing.ts';
import { parseTrustedIssuers, type TrustedIssuer } from './trusted-issuer.ts';
import type { VerifyToken } from './verified-tokens.ts';

const audience = 'https://tarishi.example';
const scope = 'message.sms.send.oneway';
const own = { issuer: null, clientId: 'own', scopes: [], validFromMs: 0, expiresAtMs: 0, kid: 'own' };
const verifyOwn: VerifyToken = async (token) => {
  if (token !== 'own') throw errors.invalidToken();
  return own;
};

let provider: OpenIdProvider;
let reachability: string[];
let elapsedMs: number;
beforeAll(async () => {
  provider = await startOpenIdProvider(['shop']);
});
afterAll(() => provider.stop());
beforeEach(() => {
  reachability = [];
  elapsedMs = 0;
});

const trusted = (settings: object = {}): TrustedIssuer => {
  const parsed = parseTrustedIssuers(JSON.stringify([{ issuer: provider.issuer, audience, ...settings }]));
  if (typeof parsed === 'string' || parsed[0] === undefined) throw new Error(String(parsed));
  return parsed[0];
};

function createVerify(issuers: readonly TrustedIssuer[], nowMs = () => Date.now()): VerifyToken {
  return createIssuers(issuers, verifyOwn, {
    clock: { now: nowMs, elapsedMs: () => elapsedMs },
    pauseMs: 100,
    onReachable: (issuer, reachable) => reachability.push(`${issuer} ${reachable}`),
  });
}

const token = (asked: object = {}) => provider.token({ client: 'shop', audience, scope, ...asked });

describe('accepted', () => {
  test('a token for our audience names its client, scopes and times', async () => {
    const verified = await createVerify([trusted()])(await token());
    expect(verified).toMatchObject({ issuer: provider.issuer, clientId: 'shop', scopes: [scope] });
    expect(verified.expiresAtMs - verified.validFromMs).toBe(600_000 - 999);
  });

  test('keys may be named by the settings instead of the metadata', async () => {
    const verify = createVerify([trusted({ jwksUrl: `${provider.issuer}/jwks` })]);
    expect(await verify(await token())).toMatchObject({ clientId: 'shop' });
  });

  test('the names of the claims for client and scopes are configurable', async () => {
    const verify = createVerify([trusted({ clientIdClaim: 'sub', scopeClaim: 'client_id' })]);
    expect(await verify(await token())).toMatchObject({ clientId: 'shop', scopes: ['shop'] });
  });

  test('a token signed with a key made since the last read', async () => {
    const verify = createVerify([trusted()]);
    await verify(await token());
    await provider.rotateKeys();
    // Keys are not read more often, whatever the tokens name.
    await expect(verify(await token())).rejects.toMatchObject({ status: 401 });
    elapsedMs = 101;
    expect(await verify(await token())).toMatchObject({ clientId: 'shop' });
  });

  test('a verified token is not verified again within a minute', async () => {
    const verify = createVerify([trusted()]);
    const one = await token();
    await verify(one);
    const reads = provider.keyReads();
    await verify(one);
    expect(provider.keyReads()).toBe(reads);
  });

  test('tokens of our own, which name no trusted issuer', async () => {
    expect(await createVerify([trusted()])('own')).toBe(own);
  });
});

describe('refused', () => {
  const refused = (promise: Promise<unknown>) =>
    expect(promise).rejects.toMatchObject({ status: 401, desc: errors.invalidToken().desc });

  test('a token for another audience', async () => {
    await refused(createVerify([trusted()])(await token({ audience: 'https://other.example' })));
  });

  test('an expired token', async () => {
    await refused(createVerify([trusted()], () => Date.now() + 700_000)(await token()));
  });

  test('a token signed with a key that the issuer does not publish', async () => {
    const other = await startOpenIdProvider(['shop']);
    const forged = await other.token({ client: 'shop', audience, scope });
    await other.stop();
    const [header, , signature] = forged.split('.');
    const [, payload] = (await token()).split('.');
    await refused(createVerify([trusted()])([header, payload, signature].join('.')));
  });

  test('a token of an issuer that is not trusted', async () => {
    await refused(createVerify([{ ...trusted(), issuer: 'https://other.example' }])(await token()));
  });

  test('a token without the claim that names the client', async () => {
    await refused(createVerify([trusted({ clientIdClaim: 'nobody' })])(await token()));
  });
});

test('an issuer that is down affects only its own tokens, is retried now and then, and is noticed when it recovers', async () => {
  const other = await startOpenIdProvider(['shop']);
  const verify = createVerify([trusted(), { ...trusted(), issuer: other.issuer }]);
  const theirs = await other.token({ client: 'shop', audience, scope });
  await other.stop();

  for (let turn = 0; turn < 3; turn += 1) await expect(verify(theirs)).rejects.toMatchObject({ status: 401 });
  expect(await verify(await token())).toMatchObject({ issuer: provider.issuer });
  expect(reachability).toEqual([`${other.issuer} false`]);

  await other.restart();
  await expect(verify(theirs)).rejects.toMatchObject({ status: 401 });
  elapsedMs = 101;
  expect(await verify(theirs)).toMatchObject({ issuer: other.issuer });
  expect(reachability).toEqual([`${other.issuer} false`, `${other.issuer} true`]);
  await other.stop();
});

test.each([
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
