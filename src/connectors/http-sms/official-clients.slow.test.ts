/** What the official libraries of providers send, sign and understand, we do too. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isTwilios, smsClients, twilioSignature } from '../../../tools/sms-clients.ts';
import { longLease } from '../contract/lease-testing.ts';
import { outbound, type Received, startStub, testContext } from '../http/provider-testing.ts';
import { checkSettings } from '../runtime/settings.ts';
import { httpSmsKind } from './http-sms.ts';
import { requestOf } from './request.ts';
import type { HttpSmsSettings } from './settings.ts';

const secrets = { apiKey: 'secret-key', callbackSecret: 'at-the-end' };
const username = 'AC1';
const callbackUrl = 'https://tarishi.example/inbound/sms';
const registrations = { entityId: '1101', templateId: '1107' };
const text = 'Habari, 日本 & 100 %';

const answers: Readonly<Record<string, object>> = {
  '/version1/messaging': {
    SMSMessageData: { Recipients: [{ statusCode: 101, messageId: 'id-1', number: '+254711000000' }] },
  },
  '/2010-04-01/Accounts/AC1/Messages.json': { sid: 'id-1', status: 'queued' },
  '/sms/json': { messages: [{ status: '0', 'message-id': 'id-1' }] },
  '/sms/3/messages': { messages: [{ messageId: 'id-1', status: { name: 'PENDING_ACCEPTED' } }] },
  '/sms/2/text/advanced': { messages: [{ messageId: 'id-1' }] },
};

/** The same message by our connector and by the library. */
async function bothWays(preset: string): Promise<[ours: Received, theirs: Received]> {
  const stub = await startStub(({ url }) => ({ status: 201, body: answers[url] }));
  const settings = { preset, username, callbackUrl, baseUrl: stub.url };
  const checked = checkSettings(httpSmsKind, settings) as HttpSmsSettings;
  const connector = httpSmsKind.open(checked, secrets, testContext());
  const message = outbound({ product: 'sms', sender: 'ACME', content: text, registrations });
  try {
    expect(await connector.send([message], longLease)).toMatchObject([{ kind: 'accepted' }]);
    const { body, form } = requestOf(
      message,
      checked,
      { headers: {}, query: [], fields: [] },
      secrets.callbackSecret,
    );
    const reportsTo = [...leavesOf(form === undefined ? body : Object.fromEntries(form))];
    await smsClients[preset]?.({
      ...{ baseUrl: stub.url, username, apiKey: secrets.apiKey, text, from: 'ACME' },
      ...{ to: '+254711000000', reference: 'tarishi-17', registrations },
      callbackUrl: reportsTo.find((value) => value.startsWith(callbackUrl)) ?? '',
    });
  } finally {
    await connector.close?.();
    await stub.close();
  }
  const [ours, theirs] = stub.received;
  if (ours === undefined || theirs === undefined) throw new Error('a request is missing');
  return [ours, theirs];
}

function leavesOf(value: unknown): string[] {
  return value !== null && typeof value === 'object'
    ? Object.values(value).flatMap(leavesOf)
    : [String(value)];
}

test.each(['africastalking', 'twilio', 'vonage'])('%s gets the same request', async (preset) => {
  const [ours, theirs] = await bothWays(preset);
  const seen = ({ method, url, headers, body }: Received) => ({
    ...{ method, url, body },
    credentials: [headers.authorization, headers.apikey],
    type: headers['content-type']?.split(';')[0],
  });
  expect(seen(ours)).toEqual(seen(theirs));
});

test('infobip gets the same values with the same key; its library still calls an older version', async () => {
  const [ours, theirs] = await bothWays('infobip');
  expect(ours.headers.authorization).toBe(theirs.headers.authorization);
  expect(leavesOf(ours.body).sort()).toEqual(leavesOf(theirs.body.messages).sort());
});

test('a call is from Twilio for both or for neither', () => {
  const seed = Number(process.env.SEED);
  const settings = (url: string) =>
    checkSettings(httpSmsKind, { preset: 'twilio', username, callbackUrl: url }) as HttpSmsSettings;
  const url = fc.constantFrom(callbackUrl, 'https://x.example:443/a/b', 'http://x.example:8080/inbound/sms');
  const values = fc.dictionary(fc.string({ minLength: 1 }), fc.string({ unit: 'binary' }));
  const query = fc.constantFrom('', 'reference=tarishi-17', 'a=%20b&c=d');
  fc.assert(
    fc.property(url, query, values, fc.boolean(), (called, search, form, altered) => {
      const signed = search === '' ? called : `${called}?${search}`;
      const signature = twilioSignature(secrets.apiKey, signed, form);
      const sent = new URLSearchParams(altered ? { ...form, more: 'x' } : form);
      const said = Object.fromEntries(sent);
      const ours = httpSmsKind.inbound?.verify(
        { headers: { 'x-twilio-signature': signature }, query: search, body: Buffer.from(sent.toString()) },
        settings(called),
        secrets,
        0,
      );
      expect(ours).toBe(isTwilios(secrets.apiKey, signature, signed, said));
    }),
    { seed, numRuns: 500 },
  );
});
