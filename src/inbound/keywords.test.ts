/** What a reply such as STOP does: to the list, to messages that wait, and what is replied, once. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { PhoneMessage } from '../connectors/contract/phone-message.ts';
import { addOptOuts } from '../products/consent/opt-out-repository.ts';
import { type InboundTestBed, openInbound, phone, text } from './testing.ts';

let inbound: InboundTestBed;
beforeAll(async () => {
  inbound = await openInbound();
  // Of another table, with the same id.
  await inbound.addChatService('orders', 'acme', '1055', '+254200001055');
  const number = { id: '1056', service_id: 'orders', phone: '+254200001056', connector: 'chat' };
  await inbound.database.knex('chatapp_numbers').insert(number);
});
afterAll(() => inbound.database.close());
beforeEach(async () => {
  const tables = ['inbound_messages', 'messages', 'requests', 'jobs', 'opt_outs', 'keyword_replies'];
  for (const table of tables) await inbound.database.knex(table).delete();
  for (const table of ['services', 'chatapp_services'])
    await inbound.database.knex(table).update({ inbound_keywords: '[]' });
});

const says = (...words: string[]) => inbound.receive(...words.map((word) => text(word)));
const chats = (...words: string[]) =>
  inbound.receiveChat(...words.map((word) => text(word, { to: '', toId: '1056' })));
const optOuts = () => inbound.database.knex('opt_outs').select('target', 'source', 'service_id');
const replies = async (): Promise<string[]> =>
  inbound.database.knex('messages').orderBy('id').pluck('content');

test('STOP opts out of the marketing of the service, and is confirmed once', async () => {
  await says(' stop ');
  expect(await optOuts()).toEqual([{ target: 'MARKETING', source: 'Keyword', service_id: 'orders' }]);
  expect(await inbound.stored()).toMatchObject([{ text: ' stop ', keyword: 'STOP' }]);
  expect(await replies()).toEqual(['You will get no more offers from 22141. Reply START to get them again.']);
  const [confirmation] = await inbound.database.knex('messages');
  expect(confirmation).toMatchObject({ phone, state: 'Queued', units: 0, account_id: null });
  expect(await inbound.database.knex('requests').first()).toMatchObject({
    ...{ confirmation: true, category: 'UTILITY', sender: '22141', resource_id: 'orders', team_id: 'acme' },
  });
  expect(await inbound.database.knex('jobs')).toHaveLength(1);
});

test('a text that only has the word in it does nothing', async () => {
  await says('Please stop');
  expect([await optOuts(), await replies()]).toEqual([[], []]);
  expect(await inbound.stored()).toMatchObject([{ keyword: null }]);
});

test('two machines do not go on replying to each other: one confirmation of each kind in 24 hours, in each product', async () => {
  for (let turn = 0; turn < 5; turn += 1) {
    await says('STOP', 'START', 'HELP');
    await chats('STOP', 'START', 'HELP');
  }
  expect(await replies()).toHaveLength(6);
  await inbound.database.knex.raw(`update keyword_replies set replied_at = replied_at - interval '24 hours'`);
  await says('STOP');
  expect(await replies()).toHaveLength(7);
});

test('START takes back nothing that a client, an operator or a network added', async () => {
  const scope = { product: 'sms', teamId: 'acme', serviceId: 'orders', target: 'ALL' } as const;
  for (const source of ['Client', 'Operator', 'Network'] as const)
    await addOptOuts(inbound.database.knex, [phone], { ...scope, source }, (number) => `#${number}`);
  await says('STOP', 'START');
  expect((await optOuts()).map(({ source }) => source).sort()).toEqual(['Client', 'Network', 'Operator']);
});

test('HELP is replied to, and changes nothing', async () => {
  await says('HELP');
  expect([await optOuts(), await replies()]).toEqual([
    [],
    ['These are messages from 22141. Reply STOP to get no more offers.'],
  ]);
});

test('words of a service go before the others; those of an SMS service are its own', async () => {
  const { knex } = inbound.database;
  const inbound_keywords = JSON.stringify([{ word: 'basi', action: 'OptOut', reply: 'Sawa, {sender}.' }]);
  await knex('services').update({ inbound_keywords });
  await chats('BASI');
  expect(await optOuts()).toEqual([]);
  await says('BASI');
  expect(await optOuts()).toHaveLength(1);
  await knex('chatapp_services').update({ inbound_keywords });
  await chats('BASI');
  expect(await replies()).toEqual(['Sawa, 22141.', '{"text":"Sawa, +254200001056."}']);
});

describe('in a chat app', () => {
  test('STOP is confirmed by a text from the number that it was sent to, apart from SMS', async () => {
    await says('STOP');
    await chats('STOP');
    const knex = inbound.database.knex;
    expect(await knex('opt_outs').pluck('product').orderBy('id')).toEqual(['sms', 'chatapp']);
    expect(await knex('messages').where({ product: 'chatapp' })).toMatchObject([
      {
        ...{ phone, channel: '1056', units: 0, account_id: null, state: 'Queued' },
        content: JSON.stringify({
          text: 'You will get no more offers from +254200001056. Reply START to get them again.',
        }),
      },
    ]);
    expect(await knex('requests').where({ operation: 'sendChatAppTemplate' })).toMatchObject([
      { confirmation: true, category: 'UTILITY', resource_id: 'orders', template_id: null },
    ]);
  });

  test('a button that says STOP is no word: its text is that of whoever sent the message', async () => {
    const body = { content: { kind: 'button', text: 'STOP' } } as const;
    await inbound.receiveChat(text('', { to: '', toId: '1056', body }));
    expect(await optOuts()).toEqual([]);
  });
});

describe('the last word of a person counts', () => {
  const smsc = (word: string) => text(word, { identity: word });
  const chat = (word: string, place: number) =>
    text(word, { to: '', toId: '1056', identity: `wamid.${place}`, repeatedWithinSeconds: null });

  test.each([
    [['STOP', 'START', 'STOP'], 1],
    [['START', 'STOP', 'START'], 0],
    [['STOP', 'STOP', 'START', 'STOP', 'STOP'], 1],
  ])('%j within a minute, one by one or at once, with ids of their network or without', async (words, left) => {
    const heard: [(...messages: PhoneMessage[]) => Promise<void>, PhoneMessage[]][] = [
      [inbound.receive, words.map(smsc)],
      [inbound.receiveChat, words.map(chat)],
    ];
    for (const [receive, messages] of heard) {
      for (const message of messages) await receive(message);
      expect(await optOuts()).toHaveLength(left);
      await inbound.database.knex('opt_outs').delete();
      await inbound.database.knex('inbound_messages').delete();
      await receive(...messages);
      expect(await optOuts()).toHaveLength(left);
      await inbound.database.knex('opt_outs').delete();
    }
  });

  test('a repetition is acted upon, as it may be none, but not confirmed; one with an id that came before is not', async () => {
    await inbound.receive(smsc('STOP'));
    await inbound.receiveChat(chat('STOP', 1));
    const { knex } = inbound.database;
    await knex('opt_outs').delete();
    await knex('keyword_replies').delete();
    await inbound.receive(smsc('STOP'));
    await inbound.receiveChat(chat('STOP', 1));
    expect(await knex('opt_outs').pluck('product')).toEqual(['sms']);
    expect([await replies(), await inbound.stored()]).toMatchObject([{ length: 2 }, { length: 2 }]);
  });
});

test('processes that get the same words in opposite orders do not deadlock', async () => {
  const from = Array.from({ length: 45 }, (_, place) => `2547110${String(place).padStart(5, '0')}`);
  const sent = (words: string[]) =>
    from.flatMap((number) => words.map((word) => text(word, { from: number })));
  const listen = (messages: ReturnType<typeof sent>) => inbound.receiveElsewhere(...messages);
  await listen(sent(['STOP']));
  const { knex } = inbound.database;
  await knex('keyword_replies').delete();
  const deadlocks: unknown[] = [];
  const note = ({ code }: { code?: string }) => code === '40P01' && deadlocks.push(code);
  knex.on('query-error', note);
  const [first, second] = [sent(['START', 'STOP']), sent(['STOP', 'START']).reverse()];
  await Promise.all([listen(first), listen(second)]);
  knex.off('query-error', note);
  expect(deadlocks).toEqual([]);
  expect(await replies()).toHaveLength(3 * from.length);
});
