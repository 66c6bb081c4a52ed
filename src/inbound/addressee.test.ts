/** Which service gets a message of a phone, where several have the sender and several connectors deliver for it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type InboundTestBed, openInbound, phone, text } from './testing.ts';

let inbound: InboundTestBed;
beforeAll(async () => {
  inbound = await openInbound();
  await inbound.database.knex('teams').insert({ id: 'other', name: 'Other' });
});
afterAll(() => inbound.database.close());
beforeEach(async () => {
  const { knex } = inbound.database;
  for (const table of ['inbound_messages', 'opt_outs', 'messages', 'requests', 'message_counts'])
    await knex(table).delete();
  await knex('services').whereNot({ id: 'orders' }).delete();
  await knex('senders').whereNot({ id: '22141' }).delete();
  await knex('senders').update({ keyword: 'ACME' });
  await knex('services').where({ id: 'orders' }).update({ inbound_connectors: '[]' });
  inbound.dropped.length = 0;
});

const addService = (id: string, more: object = {}) =>
  inbound.database.knex('services').insert({ id, team_id: 'acme', name: id, sender: '22141', ...more });
const give = (team_id: string, more: object = {}) =>
  inbound.database.knex('senders').insert({ id: team_id, team_id, name: team_id, sender: '22141', ...more });
/** Where the last message went, and whose promotions it ended. */
const outcome = async () => {
  const { knex } = inbound.database;
  const messages = (await inbound.stored()).map((one) => one.service_id);
  return [messages.at(-1), ...(await knex('opt_outs').pluck('service_id'))];
};

/** Who wrote to the phone, and how many hours ago. */
const written: Readonly<Record<string, readonly [string, number][]>> = {
  'nobody wrote': [],
  'the first wrote': [['orders', 1]],
  'the second wrote last': [
    ['orders', 2],
    ['theirs', 1],
  ],
  'the second wrote long ago': [['theirs', 200]],
};

test.each<[who: string, words: string, service: string | undefined]>([
  ['nobody wrote', 'STOP', undefined],
  ['nobody wrote', 'theirs: yes', 'theirs'],
  ['nobody wrote', 'ACME yes', 'orders'],
  ['the first wrote', 'yes', 'orders'],
  ['the first wrote', 'Theirs yes', 'theirs'],
  ['the second wrote last', 'yes', 'theirs'],
  ['the second wrote last', 'acme', 'orders'],
  // Whoever wrote last hears a STOP, however late it is.
  ['the second wrote long ago', 'STOP', 'theirs'],
])('two teams on one number, %s: %s', async (who, words, service) => {
  await give('other', { keyword: 'THEIRS' });
  await addService('theirs', { team_id: 'other', inbound_callback_url: 'https://other.example/' });
  for (const [id, hoursAgo] of written[who] ?? [])
    await inbound.sent(id, { hoursAgo, teamId: id === 'theirs' ? 'other' : 'acme' });
  await inbound.receive(text(words));
  expect([(await outcome())[0], inbound.dropped]).toEqual([
    service,
    service === undefined ? ['smsc keyword'] : [],
  ]);
});

test('a message to what people see somewhere is for the service of the sender, and what it says to STOP comes from there', async () => {
  await inbound.database.knex('senders').where({ id: '22141' }).update({
    approved_uses: '[{"status": "Approved"}, {"country": "KE", "as": "+254700000001", "status": "Approved"}]',
  });
  await inbound.receive(text('STOP', { to: '254700000001' }));
  expect(await outcome()).toEqual(['orders', 'orders']);
  expect(await inbound.stored()).toMatchObject([{ recipient: '+254700000001' }]);
  const replied = inbound.database.knex('requests as r').join('messages as m', 'm.request_id', 'r.id');
  expect(
    await replied.where({ confirmation: true }).select('r.sender', 'm.sender as seen', 'content'),
  ).toEqual([
    {
      sender: '+254700000001',
      seen: null,
      content: 'You will get no more offers from +254700000001. Reply START to get them again.',
    },
  ]);
});

test('of the services of one team it is the one that wrote to the number last, otherwise the one with a callback URL', async () => {
  await addService('alerts');
  await addService('support', { inbound_callback_url: 'https://acme.example/' });
  await inbound.sent('orders', { hoursAgo: 2 });
  await inbound.sent('alerts');
  await inbound.receive(text('Ndiyo'));
  expect(await outcome()).toEqual(['alerts']);
  await inbound.receive(text('Ndiyo', { from: '254711000009' }));
  expect(await outcome()).toEqual(['support']);
});

describe('a connector delivers for', () => {
  const airtel = '254733000000';
  const foreign = '4915112345678';
  const stop = (connector: string, from = phone) => inbound.receiveThrough(connector, text('STOP', { from }));
  const counted = (channel: string, resource_id = 'orders', outcome = 'delivered') =>
    inbound.database.knex('message_counts').insert({
      ...{ team_id: 'acme', product: 'sms', channel, resource_id, template_id: '', outcome },
      ...{ hour: inbound.database.knex.fn.now(), latency: 0, messages: 1, latency_ms: 1 },
    });
  const named = (...connectors: string[]) =>
    inbound.database
      .knex('services')
      .where({ id: 'orders' })
      .update({ inbound_connectors: JSON.stringify(connectors) });

  test.each<[string, { from?: string; by: string; taken: boolean; given?: () => PromiseLike<unknown> }]>([
    ['the phones of its channel', { by: 'smsc', taken: true }],
    ['those of another channel: not', { by: 'airtel', taken: false }],
    ['those of another channel, whichever came first: not', { by: 'smsc', from: airtel, taken: false }],
    ['no channel at all: for none', { by: 'unused', taken: false }],
    ['phones of no channel', { by: 'airtel', from: foreign, taken: true }],
    ['phones of no channel, being of none itself: not', { by: 'unused', from: foreign, taken: false }],
    [
      'a phone that moved to its network, if the sender is sent through it',
      { by: 'airtel', taken: true, given: () => counted('Airtel') },
    ],
    [
      'a phone that moved, if all failed there: not',
      { by: 'airtel', taken: false, given: () => counted('Airtel', 'orders', 'failed') },
    ],
    [
      'a phone that moved, if another sender is sent through it: not',
      { by: 'airtel', taken: false, given: () => counted('Airtel', 'news') },
    ],
    [
      'a phone that it brought our last message to',
      { by: 'former', taken: true, given: () => inbound.sent('orders', { connector: 'former' }) },
    ],
    ['any phone, where the operator names it', { by: 'airtel', taken: true, given: () => named('airtel') }],
    ['none, where the operator names others', { by: 'smsc', taken: false, given: () => named('airtel') }],
  ])('%s', async (_what, { by, from, taken, given }) => {
    await given?.();
    await stop(by, from);
    expect([await outcome(), inbound.dropped]).toEqual(
      taken ? [['orders', 'orders'], []] : [[undefined], [`${by} network`]],
    );
  });

  test('what the first team may not get, the second does not get instead', async () => {
    await addService('theirs', { team_id: 'other', inbound_connectors: '["airtel"]' });
    await inbound.sent('theirs', { teamId: 'other' });
    await stop('airtel');
    expect([await outcome(), inbound.dropped]).toEqual([[undefined], ['airtel network']]);
  });
});
