/** Tokens that a trusted OpenID Connect provider issues. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type OpenIdProvider, startOpenIdProvider } from '../../../src/access/issuers/openid-testing.ts';
import { smsInProcess, toMany } from '../../support/requests/sms.ts';
import { tokenFor } from '../../support/service/api.ts';

const audience = 'https://sms.example.com';
const scope = 'message.sms.send.oneway';

let provider: OpenIdProvider;
let sms: Awaited<ReturnType<typeof smsInProcess>>;

beforeAll(async () => {
  provider = await startOpenIdProvider(['shop']);
  sms = await smsInProcess({
    TRUSTED_ISSUERS: JSON.stringify([
      { issuer: provider.issuer, audience },
      { issuer: 'http://127.0.0.1:9', audience },
    ]),
  });
  const { operate } = sms.service;
  await operate('POST /clients', { id: 'shop', teamId: 'demo', scopes: [scope], issuer: provider.issuer });
});
afterAll(async () => {
  await sms?.service.dispose();
  await provider?.stop();
});

test('200: a token of the client, with the scope', async () => {
  const token = await provider.token({ client: 'shop', audience, scope });
  expect((await sms.send(toMany(['0711000000']), { token })).status).toBe(200);
});

test('401 invalid_client: a client of another issuer gets no token here', async () => {
  await expect(tokenFor(sms.demo.baseUrl, { ...sms.demo, clientId: 'shop' })).rejects.toThrow(
    'invalid_client',
  );
});

test('200: tokens of the service itself, whatever happens to an issuer', async () => {
  expect((await sms.send(toMany(['0711000000']))).status).toBe(200);
});
