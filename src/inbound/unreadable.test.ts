/** Nobody is dropped unheard: what cannot be read is stored once, and a STOP in it holds as soon as the number is known. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { PhoneMessage } from '../connectors/contract/phone-message.ts';
import { eraseUnreadableOf, retainUnreadable } from '../retention/unreadable-repository.ts';
import { type InboundTestBed, openInbound, phone, text } from './testing.ts';

let inbound: InboundTestBed;
beforeAll(async () => {
  inbound = await openInbound();
  const { knex } = inbound.database;
  for (const team of ['acme', 'other']) {
    if (team === 'other') await knex('teams').insert({ id: team, name: team });
    await knex('chatapp_services').insert({ id: `${team}-chat`, team_id: team, name: team });
    const number = { id: `of-${team}`, service_id: `${team}-chat`, phone: '+254200', connector: 'chat' };
    await knex('chatapp_numbers').insert(number);
  }
});
afterAll(() => inbound.database.close());
beforeEach(async () => {
  const tables = [
    'opt_outs',
    'network_preferences',
    'inbound_unreadable',
    'network_identities',
    'inbound_messages',
  ];
  for (const table of tables) await inbound.database.knex(table).delete();
  inbound.dropped.length = 0;
});

const userId = 'KE.13491208655302741918';
const nameless = (words: string, id: string, more: Partial<PhoneMessage> = {}): PhoneMessage =>
  text(words, {
    ...{ from: undefined, userId, to: '', toId: 'of-acme', identity: id, repeatedWithinSeconds: null },
    ...more,
  });
const preference = (marketing: boolean, second: number) => ({
  ...{ from: undefined, userId, to: '', toId: 'of-acme', marketing },
  occurredAt: new Date(Date.UTC(2026, 0, 1, 0, 0, second)),
});
const optOuts = () => inbound.database.knex('opt_outs').select('phone', 'service_id', 'source');
const learn = () => inbound.learn('chat', [{ from: '254711000000', userId }]);

test('a message without a number is stored once, counted, and of the team whose number it was sent to', async () => {
  const message = nameless('Habari', 'wamid.1');
  await inbound.receiveChat(message, message);
  await inbound.receiveChat(message, nameless('Habari', 'wamid.2', { toId: 'of-nobody', userId: undefined }));
  expect(await inbound.unreadable()).toMatchObject([
    {
      team_id: 'acme',
      service_id: 'acme-chat',
      kind: 'Message',
      reason: 'NoNumber',
      sender: userId,
      content: 'Habari',
    },
    { team_id: null, sender: null },
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

describe('a STOP without a number', () => {
  test.each<[string, () => Promise<void>, object[]]>([
    ['as a word', () => inbound.receiveChat(nameless('stop', 'a')), [{ source: 'Keyword' }]],
    [
      'as a setting',
      () => inbound.recordPreferences('chat', [preference(false, 1)]),
      [{ source: 'Network' }],
    ],
    ['taken back', () => inbound.receiveChat(nameless('STOP', 'a'), nameless('START', 'b')), []],
    [
      'set again, told late',
      () =>
        inbound.recordPreferences('chat', [preference(true, 1), preference(false, 2), preference(true, 1)]),
      [{ source: 'Network' }],
    ],
  ])('%s holds once the number is known', async (_what, say, left) => {
    await say();
    expect(await optOuts()).toEqual([]);
    await learn();
    expect(await optOuts()).toMatchObject(left.map((one) => ({ ...one, phone, service_id: 'acme-chat' })));
    expect((await inbound.unreadable()).every(({ applied_at }) => applied_at !== null)).toBe(true);
  });

  test('holds at once, and is a message like any other, if the number was known before', async () => {
    await learn();
    await inbound.receiveChat(nameless('STOP', 'a'));
    await inbound.recordPreferences('chat', [preference(false, 1)]);
    expect((await optOuts()).map(({ source }) => source).sort()).toEqual(['Keyword', 'Network']);
    expect([await inbound.stored(), await inbound.unreadable()]).toMatchObject([
      [{ phone, keyword: 'STOP' }],
      [],
    ]);
  });

  test('gives way to what the person said later with a number', async () => {
    await inbound.receiveChat(nameless('STOP', 'a'));
    await inbound.receiveChat(text('START', { to: '', toId: 'of-acme' }));
    await learn();
    expect(await optOuts()).toEqual([]);
  });
});

describe('what is kept of it', () => {
  const age = (days: number) =>
    inbound.database.knex('inbound_unreadable').update({
      received_at: inbound.database.knex.raw(`service_now() - ? * interval '1 day'`, [days]),
    });
  const retain = () => retainUnreadable(inbound.database.knex, { texts: 7, receipts: 7, numbers: 90 });

  test('goes with texts and numbers; a STOP that waits still holds', async () => {
    await inbound.receiveChat(nameless('STOP', 'a'), nameless('Habari', 'b'));
    await age(8);
    await retain();
    expect((await inbound.unreadable()).map(({ content, sender }) => [content, sender])).toEqual([
      [null, userId],
      [null, userId],
    ]);
    await age(91);
    await retain();
    expect(await inbound.unreadable()).toMatchObject([{ keyword: 'STOP', sender: null, content: null }]);
    await learn();
    expect(await optOuts()).toHaveLength(1);
  });

  test('is erased with the person, whose id is known or whose number it mentions, for one team or all', async () => {
    await learn();
    const unreadable = { kind: 'Message', reason: 'Malformed', text: '["254711000000"]' } as const;
    await inbound.receiveChat(
      nameless('', 'a', { body: { unreadable } }),
      nameless('', 'b', { userId: undefined, toId: 'of-other', body: { unreadable } }),
      nameless('Habari', 'c', { userId: 'KE.2' }),
    );
    const { knex } = inbound.database;
    const erase = (team?: string) => knex.transaction((trx) => eraseUnreadableOf(trx, phone, team));
    expect([await erase('acme'), await erase(), await knex('network_identities')]).toEqual([1, 1, []]);
    expect(await inbound.unreadable().whereNotNull('content')).toMatchObject([{ sender: 'KE.2' }]);
  });
});
