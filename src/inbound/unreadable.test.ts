/** Nobody is dropped unheard: what cannot be read is stored once, counted, and erased with its person. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { PhoneMessage } from '../connectors/contract/phone-message.ts';
import { eraseUnreadableOf, retainUnreadable } from '../retention/unreadable-repository.ts';
import { type InboundTestBed, openInbound, phone, text } from './testing.ts';

let inbound: InboundTestBed;
beforeAll(async () => {
  inbound = await openInbound();
  await inbound.database.knex('teams').insert({ id: 'other', name: 'Other' });
  for (const team of ['acme', 'other']) await inbound.addChatService(`${team}-chat`, team, `of-${team}`);
});
afterAll(() => inbound.database.close());
beforeEach(async () => {
  for (const table of ['inbound_unreadable', 'inbound_messages']) await inbound.database.knex(table).delete();
  inbound.dropped.length = 0;
});

const nameless = (words: string, id: string, more: Partial<PhoneMessage> = {}): PhoneMessage =>
  text(words, {
    ...{ from: undefined, to: '', toId: 'of-acme', identity: id, repeatedWithinSeconds: null },
    ...more,
  });

test('a message of nobody is stored once, counted, and of the team whose number it was sent to', async () => {
  const message = nameless('Habari', 'wamid.1');
  await inbound.receiveChat(message, message);
  await inbound.receiveChat(message, nameless('Habari', 'wamid.2', { toId: 'of-nobody', userId: 'asha' }));
  expect(await inbound.unreadable()).toMatchObject([
    {
      ...{ team_id: 'acme', service_id: 'acme-chat', kind: 'Message', reason: 'NoNumber' },
      ...{ sender: null, content: 'Habari' },
    },
    { team_id: null, sender: 'asha' },
  ]);
  expect(inbound.dropped).toEqual(['chat Message NoNumber', 'chat Message NoNumber']);
});

test('what has another fault is stored as it is, beside a message that is read', async () => {
  const unreadable = { kind: 'Status', reason: 'Unknown', text: '{"status":"seen"}' } as const;
  await inbound.receiveChat(
    nameless('', 'a', { body: { unreadable } }),
    text('Habari', { to: '', toId: 'of-acme' }),
  );
  expect(await inbound.unreadable()).toMatchObject([{ reason: 'Unknown', content: '{"status":"seen"}' }]);
  expect(await inbound.stored()).toHaveLength(1);
});

describe('what is kept of it', () => {
  const age = (days: number) =>
    inbound.database.knex('inbound_unreadable').update({
      received_at: inbound.database.knex.raw(`service_now() - ? * interval '1 day'`, [days]),
    });
  const retain = () => retainUnreadable(inbound.database.knex, { texts: 7, receipts: 7, numbers: 90 });

  test('goes with texts, and the rest with numbers', async () => {
    await inbound.receiveChat(nameless('Habari', 'a', { userId: 'asha' }));
    await age(8);
    await retain();
    expect(await inbound.unreadable()).toMatchObject([{ content: null, sender: 'asha' }]);
    await age(91);
    await retain();
    expect(await inbound.unreadable()).toEqual([]);
  });

  test.each([
    [phone, '["254711000000"]'],
    ['KE.ab1', '{"user_id":"KE.ab1"}'],
  ])('is erased with whom it mentions, %s, for one team or all', async (name, written) => {
    const unreadable = { kind: 'Message', reason: 'Malformed', text: written } as const;
    await inbound.receiveChat(
      nameless('', 'a', { body: { unreadable } }),
      nameless('', 'b', { toId: 'of-other', body: { unreadable } }),
      nameless('Habari', 'c', { userId: 'asha' }),
    );
    const { knex } = inbound.database;
    const erase = (team?: string) => knex.transaction((trx) => eraseUnreadableOf(trx, name, team));
    expect([await erase('acme'), await erase()]).toEqual([1, 1]);
    expect(await inbound.unreadable().whereNotNull('content')).toMatchObject([{ sender: 'asha' }]);
  });
});
