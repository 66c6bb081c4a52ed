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
  await knex('services').where({ id: 'orders' }).update({ inbound_connectors: '[]' });
  inbound.dropped.length = 0;
});

const addService = (id: string, more: object = {}) =>
  inbound.database.knex('services').insert({ id, team_id: 'acme', name: id, sender: '22141', ...more });
/** Where the last message went, and whose promotions it ended. */
const outcome = async () => {
  const { knex } = inbound.database;
  const messages = (await inbound.stored()).map((one) => one.service_id);
  return [messages.at(-1), ...(await knex('opt_outs').pluck('service_id'))];
};

describe('two teams on one number', () => {
  const daysAgo = (days: number) => inbound.database.knex.raw(`service_now() - ? * interval '1 day'`, [days]);
  /** Who wrote to the phone, and how many hours ago. */
  const written = {
    'nobody wrote': [],
    'the first wrote': [['orders', 1]],
    'the second wrote': [['theirs', 1]],
    'the second wrote last': [
      ['orders', 2],
      ['theirs', 1],
    ],
    'the first wrote last': [
      ['theirs', 2],
      ['orders', 1],
    ],
    'the second wrote long ago': [['theirs', 72.1]],
  } as const;
  const ofSecond = ['the second wrote', 'the second wrote last'];
  const rows = Object.keys(written).flatMap((who) =>
    [false, true].flatMap((granted) => [false, true].map((older) => ({ who, granted, older }))),
  );

  test.each(rows)('$who, granted: $granted, older service: $older', async ({ who, granted, older }) => {
    // The service may be the older one: what counts is since when it has the sender.
    await addService('theirs', {
      ...{ team_id: 'other', sender: older ? 'THEIRS' : '22141', shared_sender: granted },
      ...{ inbound_callback_url: 'https://other.example/', created_at: daysAgo(older ? 900 : -1) },
      sender_since: daysAgo(older ? 900 : -1),
    });
    if (older) await inbound.database.knex('services').where({ id: 'theirs' }).update({ sender: '+22141' });
    for (const [id, hoursAgo] of written[who as keyof typeof written])
      await inbound.sent(id, { hoursAgo, teamId: id === 'theirs' ? 'other' : 'acme' });
    await inbound.receive(text('STOP'));
    const expected = granted && ofSecond.includes(who) ? 'theirs' : 'orders';
    expect(await outcome()).toEqual([expected, expected]);
  });
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
