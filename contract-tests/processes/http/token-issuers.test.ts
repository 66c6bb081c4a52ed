/** Tokens that a trusted OpenID Connect provider issues. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type OpenIdProvider, startOpenIdProvider } from '../../../src/access/issuers/openid-testing.ts';
import { addTeam, type Team } from '../../support/management/team.ts';
import { type SmsService, startSms, toMany } from '../../support/requests/sms.ts';
import { tokenFor } from '../../support/service/api.ts';

const audience = 'https://sms.example.com';
const scope = 'message.sms.send.oneway';

let provider: OpenIdProvider;
let sms: SmsService;
/** Its tokens are issued by the service. */
let ownTeam: Team;

beforeAll(async () => {
  provider = await startOpenIdProvider(['shop', 'own-client', 'nobody']);
  sms = await startSms({
    TRUSTED_ISSUERS: JSON.stringify([
      { issuer: provider.issuer, audience },
      { issuer: 'http://127.0.0.1:9', audience },
    ]),
  });
  const { operate } = sms.service;
  await operate('POST /clients', { id: 'shop', teamId: 'demo', scopes: [scope], issuer: provider.issuer });
  ownTeam = await addTeam(sms.service, { sms: 1 }, 'own');
});
afterAll(async () => {
  await sms?.service.dispose();
  await provider?.stop();
});

const send = (token: string, serviceId = 'demo-sms') =>
  sms.send(toMany(['0711000000']), { token, serviceId });
const token = (asked: object = {}) => provider.token({ client: 'shop', audience, scope, ...asked });
const invalid = { desc: 'The bearer token is invalid or has expired.' };

test('200: a token of the client, with the scope', async () => {
  expect((await send(await token())).status).toBe(200);
});

test('403: a token without the scope', async () => {
  const answer = await send(await token({ scope: 'message.chatapp.send' }));
  expect([answer.status, answer.body]).toEqual([
    403,
    { desc: `Permission denied: the scope ${scope} is required.` },
  ]);
});

describe('401 The bearer token is invalid or has expired.', () => {
  test('for another audience', async () => {
    const answer = await send(await token({ audience: 'https://other.example.com' }));
    expect([answer.status, answer.body]).toEqual([401, invalid]);
  });

  test('signed with a key that the issuer does not publish', async () => {
    const other = await startOpenIdProvider(['shop']);
    const [header, , signature] = (await other.token({ client: 'shop', audience, scope })).split('.');
    await other.stop();
    const [, payload] = (await token()).split('.');
    const answer = await send([header, payload, signature].join('.'));
    expect([answer.status, answer.body]).toEqual([401, invalid]);
  });

  test('expired', async () => {
    const now = Math.floor(Date.now() / 1000);
    const claims = { aud: audience, client_id: 'shop', scope, iat: now };
    expect((await send(await provider.sign({ ...claims, exp: now + 60 }))).status).toBe(200);
    const expired = await provider.sign({ ...claims, exp: now - 60 });
    const answer = await send(expired);
    expect([answer.status, answer.body]).toEqual([401, invalid]);
  });

  test('for a client of the service itself: an issuer can only name its own clients', async () => {
    const answer = await send(await token({ client: ownTeam.clientId }), ownTeam.smsServiceId);
    expect([answer.status, answer.body]).toEqual([401, invalid]);
  });

  test('for a client that the service does not know', async () => {
    const answer = await send(await token({ client: 'nobody' }));
    expect([answer.status, answer.body]).toEqual([401, invalid]);
  });
});

test('401 invalid_client: a client of another issuer gets no token here', async () => {
  await expect(tokenFor(sms.demo.baseUrl, { ...sms.demo, clientId: 'shop' })).rejects.toThrow(
    'invalid_client',
  );
});

test('200: tokens of the service itself, whatever happens to an issuer', async () => {
  const own = await tokenFor(sms.demo.baseUrl, ownTeam);
  expect((await send(own, ownTeam.smsServiceId)).status).toBe(200);
});
