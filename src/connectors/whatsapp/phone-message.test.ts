/** What is read from the messages of people in the Cloud API's webhook. */
import { expect, test } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
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
const user = 'KE.13491208655302741918';
/** A message says the number, the id, or both; what is read of it. */
const whoever: [object, object][] = [
  [{ from }, { from, userId: undefined }],
  [{ from_user_id: user }, { from: undefined, userId: user }],
  [
    { from, from_user_id: user },
    { from, userId: user },
  ],
];
const image = { id: '77', mime_type: 'image/jpeg', sha256: 'x' };

testEvery<[string, object, object]>([
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
  for (const [who, said] of whoever) {
    const [message] = read({ ...who, id: 'wamid.1', timestamp: '1', type, ...content });
    expect(message).toMatchObject({
      ...{ ...said, to: '254200000000', toId: '1055', identity: 'wamid.1', repeatedWithinSeconds: null },
      body: { content: expected },
    });
  }
});

test.each([
  'user_changed_number',
  'user_changed_user_id',
])('%s is no message, but new names of a person', (type) => {
  const system = { type, body: 'x', wa_id: '254733000000', user_id: 'KE.2', previous_user_id: user };
  const value = { metadata, messages: [{ from, id: 'wamid.1', type: 'system', system }] };
  const document = { entry: [{ changes: [{ field: 'messages', value }] }] };
  const said = whatsAppInbound.read(Buffer.from(JSON.stringify(document)), settings);
  expect(said.messages).toEqual([]);
  expect(said.identities).toEqual([{ names: [from, user, 'KE.2', '254733000000'], isChange: true }]);
});
