/** What is read from the messages of people in the Cloud API's webhook. */
import { expect, test } from '@jest/globals';
import { checkSettings } from '../runtime/settings.ts';
import { whatsAppInbound } from './webhook.ts';
import { whatsAppKind } from './whatsapp.ts';

const settings = checkSettings(whatsAppKind, {});
const metadata = { display_phone_number: '+254 200 000-000', phone_number_id: '1055' };

function read(message: object) {
  const value = { metadata, contacts: [{ wa_id: '254711000000' }], messages: [message] };
  const document = { entry: [{ changes: [{ field: 'messages', value }] }] };
  return whatsAppInbound.read(Buffer.from(JSON.stringify(document)), settings).messages ?? [];
}

const from = '254711000000';
const image = { id: '77', mime_type: 'image/jpeg', sha256: 'x' };

test.each<[string, object, object]>([
  ['text', { text: { body: 'Asante 😀' } }, { kind: 'text', text: 'Asante 😀' }],
  ['button', { button: { payload: 'p', text: 'Ndiyo' } }, { kind: 'button', text: 'Ndiyo' }],
  ['interactive', { interactive: { button_reply: { id: '1', title: 'A' } } }, { kind: 'button', text: 'A' }],
  ['interactive', { interactive: { list_reply: { id: '1', title: 'B' } } }, { kind: 'button', text: 'B' }],
  ['image', { image }, { kind: 'media', text: '', media: { id: '77', mimeType: 'image/jpeg' } }],
  ['document', { document: { ...image, caption: 'Risiti' } }, { kind: 'media', text: 'Risiti' }],
  ['location', { location: { latitude: 1 } }, { kind: 'other', text: '' }],
  ['contacts', { contacts: [{ name: {} }] }, { kind: 'other', text: '' }],
  ['unsupported', { errors: [{ code: 131051 }] }, { kind: 'other', text: '' }],
  ['added_later', { added_later: null }, { kind: 'other', text: '' }],
])('%s', (type, content, expected) => {
  const [message] = read({ from, id: 'wamid.1', timestamp: '1', type, ...content });
  expect(message).toMatchObject({
    ...{ from, to: '254200000000', toId: '1055', identity: 'wamid.1', repeatedWithinSeconds: null },
    body: { content: expected },
  });
});

test('of somebody with a user name has their id instead of a number', () => {
  const message = { from_user_id: 'KE.1', id: 'wamid.1', type: 'text', text: { body: 'STOP' } };
  expect(read(message)).toMatchObject([
    { from: undefined, userId: 'KE.1', identity: 'wamid.1', body: { content: { text: 'STOP' } } },
  ]);
});
