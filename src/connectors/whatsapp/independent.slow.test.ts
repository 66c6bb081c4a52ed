/** What a client library of others posts, verifies and reads at the Cloud API, we do too. */
import { createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { normalizeWebhook, verifySignature, WhatsAppClient } from '../../../tools/whatsapp-client.ts';
import { longLease } from '../contract/lease-testing.ts';
import { outbound, startStub, testContext } from '../http/provider-testing.ts';
import { checkSettings } from '../runtime/settings.ts';
import { whatsAppInbound } from './webhook.ts';
import { whatsAppKind } from './whatsapp.ts';

test('the same template is posted by the same call', async () => {
  const stub = await startStub(() => ({
    status: 200,
    body: {
      messaging_product: 'whatsapp',
      contacts: [{ input: '+254711000000', wa_id: '254711000000' }],
      messages: [{ id: 'wamid.1', message_status: 'accepted' }],
    },
  }));
  const settings = checkSettings(whatsAppKind, { baseUrl: stub.url, timeoutSeconds: 1 });
  const connector = whatsAppKind.open(settings, { token: 'secret-token' }, testContext());
  const filled = { name: 'order_shipped', language: 'en', body: [{ name: 'name', value: 'Asha' }] };
  const content = JSON.stringify(filled);
  await connector.send([outbound({ product: 'chatapp', channel: '106540352242922', content })], longLease);
  const client = new WhatsAppClient({
    baseUrl: stub.url,
    graphVersion: 'v23.0',
    accessToken: 'secret-token',
  });
  const answer = await client.messages.sendTemplate({
    phoneNumberId: '106540352242922',
    to: '+254711000000',
    template: {
      name: 'order_shipped',
      language: { code: 'en' },
      components: [{ type: 'body', parameters: [{ type: 'text', parameterName: 'name', text: 'Asha' }] }],
    },
    bizOpaqueCallbackData: 'tarishi-17',
  });
  await connector.close?.();
  await stub.close();
  expect(answer.messages[0]?.id).toBe('wamid.1');
  const [ours, theirs] = stub.received;
  expect([theirs?.method, theirs?.url, theirs?.headers.authorization]).toEqual([
    ours?.method,
    ours?.url,
    ours?.headers.authorization,
  ]);
  expect(ours?.body).toMatchObject(theirs?.body);
});

const settings = checkSettings(whatsAppKind, {});

test('a signature over any bytes is forged for both or for neither', () => {
  const appSecret = 'app-secret';
  const seed = Number(process.env.SEED);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(63), fc.boolean(), (bytes, at, altered) => {
      const body = Buffer.from(bytes);
      const signature = `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;
      const place = 'sha256='.length + at;
      const digit = signature[place] === '0' ? '1' : '0';
      const signed = altered ? signature.slice(0, place) + digit + signature.slice(place + 1) : signature;
      const call = { headers: { 'x-hub-signature-256': signed }, body };
      const ours = whatsAppInbound.verify(call, settings, { appSecret, verifyToken: 'verify-me' }, 0);
      expect([ours, verifySignature({ appSecret, rawBody: body, signatureHeader: signed })]).toEqual([
        !altered,
        !altered,
      ]);
    }),
    { seed },
  );
});

test('several entries, changes and statuses of one call are the same', () => {
  const statuses = (...list: [id: string, status: string][]) => ({
    field: 'messages',
    value: {
      messaging_product: 'whatsapp',
      metadata: { phone_number_id: '1' },
      statuses: list.map(([id, status]) => ({ id, status, timestamp: '1772366400', recipient_id: '2547' })),
    },
  });
  const document = {
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '1',
        changes: [statuses(['wamid.1', 'delivered'], ['wamid.1', 'read']), statuses(['wamid.2', 'sent'])],
      },
      { id: '2', changes: [statuses(['wamid.3', 'sent'])] },
    ],
  };
  const { reports } = whatsAppInbound.read(Buffer.from(JSON.stringify(document)), settings);
  const ours = reports.map(({ networkId, state }) => [networkId, state.toLowerCase()]);
  expect(ours).toEqual(normalizeWebhook(document).statuses.map(({ id, status }) => [id, status]));
  expect(ours).toHaveLength(4);
});
