/** Delivery against a real database and queue: what is submitted, once, and what follows. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Connector } from '../connectors/contract/connector.ts';
import { claimAll } from '../queue/testing.ts';
import { recordSilence } from '../receipts/record.ts';
import { delivered, network, openDelivery, type TestDelivery } from './testing.ts';

let delivery: TestDelivery;

beforeAll(async () => {
  delivery = await openDelivery(process.env.DATABASE_URL);
});
afterAll(() => delivery.close());
beforeEach(() => delivery.reset(1_000));

describe('a message that no network may get twice', () => {
  test('is marked before it is sent, and sent once', async () => {
    await delivery.accept({ product: 'data', content: '1GB' });
    const seen: string[] = [];
    const { connector } = network(
      () => delivered,
      () => ({ kind: 'unknown' }),
    );
    const spy: Connector = {
      ...connector,
      send: async (messages) => {
        seen.push(...(await delivery.states()));
        return connector.send(messages);
      },
    };
    await delivery.deliverRound(delivery.dependencies({ data: spy }));
    expect([seen, await delivery.states()]).toEqual([['Sending'], ['Delivered']]);
  });

  test('whose hand-over was interrupted is queried, and not sent again', async () => {
    await delivery.accept({ product: 'data', content: '1GB' });
    await delivery.knex('messages').update({ state: 'Sending' });
    const { connector, sent, asked } = network(
      () => delivered,
      () => delivered,
    );
    await delivery.deliverRound(delivery.dependencies({ data: connector }));
    expect([sent, asked, await delivery.states()]).toEqual([[], ['+254711000000'], ['Delivered']]);
  });

  test('that the network never got is sent after the query', async () => {
    await delivery.accept({ product: 'data', content: '1GB' });
    await delivery.knex('messages').update({ state: 'Sending' });
    const { connector, sent, asked } = network(
      () => delivered,
      () => ({ kind: 'unknown' }),
    );
    await delivery.deliverRound(delivery.dependencies({ data: connector }));
    expect([sent, asked]).toEqual([['+254711000000'], ['+254711000000']]);
  });

  test('that the network never got, and that is too old by now, fails and is refunded', async () => {
    await delivery.accept({ product: 'data', content: '1GB', units: 3 });
    await delivery.knex('messages').update({ state: 'Sending' });
    await delivery.knex.raw(`update requests set created_at = now() - interval '2 hours'`);
    const { connector, sent } = network(
      () => delivered,
      () => ({ kind: 'unknown' }),
    );
    await delivery.deliverRound(delivery.dependencies({ data: connector }));
    expect([sent, await delivery.states(), await delivery.balance()]).toEqual([[], ['Failed'], 1_000]);
  });

  test('with an unclear outcome is queried, not sent, at the next attempt', async () => {
    await delivery.accept({ product: 'data', content: '1GB' });
    const { connector, sent, asked } = network(
      () => ({ kind: 'unclear', delaySeconds: 5 }),
      () => delivered,
    );
    await delivery.deliverRound(delivery.dependencies({ data: connector }));
    expect(await delivery.states()).toEqual(['Sending']);
    await delivery.hurry();
    await delivery.deliverRound(delivery.dependencies({ data: connector }));
    expect([sent, asked, await delivery.states()]).toEqual([
      ['+254711000000'],
      ['+254711000000'],
      ['Delivered'],
    ]);
  });

  test('with an unknown outcome for 72 hours is uncertain, and no longer queried', async () => {
    await delivery.accept({ product: 'data', content: '1GB', units: 3 });
    const { connector, sent, asked } = network(
      () => ({ kind: 'unclear', delaySeconds: 5 }),
      () => ({ kind: 'unclear', delaySeconds: 5 }),
    );
    const all = delivery.dependencies({ data: connector });
    await delivery.deliverRound(all);
    const silence = async (seconds: number) =>
      (await recordSilence(all.knex, all.events, seconds, 10, all.consequences)).reached;
    expect(await silence(72 * 3600)).toEqual([]);
    expect(await silence(-1)).toMatchObject([{ state: 'Uncertain' }]);
    await delivery.hurry();
    await delivery.deliverRound(all);
    expect([sent.length, asked, await delivery.states()]).toEqual([1, [], ['Uncertain']]);
    expect([await delivery.receipts(), await delivery.balance()]).toEqual([['Uncertain'], 997]);
    expect(await claimAll(delivery.queue)).toEqual([]);
  });

  test('that the network did not accept is queued as before', async () => {
    await delivery.accept({ product: 'data', content: '1GB' });
    const { connector } = network(
      () => ({ kind: 'later', delaySeconds: 1 }),
      () => ({ kind: 'unknown' }),
    );
    await delivery.deliverRound(delivery.dependencies({ data: connector }));
    expect(await delivery.knex('messages').select('state', 'submitted_at')).toEqual([
      { state: 'Queued', submitted_at: null },
    ]);
  });

  test('is not sent if the connector fails before it responds, only queried', async () => {
    await delivery.accept({ product: 'data', content: '1GB' });
    const connector: Connector = {
      send: () => Promise.reject(new Error('reset')),
      ask: async (messages) => messages.map(() => delivered),
    };
    await delivery.deliverRound(delivery.dependencies({ data: connector }));
    expect(await delivery.states()).toEqual(['Sending']);
    await delivery.hurry();
    await delivery.deliverRound(delivery.dependencies({ data: connector }));
    expect(await delivery.states()).toEqual(['Delivered']);
  });
});

test('messages of one request that are retried at different times are in separate jobs', async () => {
  const phones = ['+254711000001', '+254711000002', '+254711000003'];
  await delivery.accept(...phones.map((phone) => ({ phone })));
  const { connector } = network(({ phone }) =>
    phone.endsWith('3') ? delivered : { kind: 'later', delaySeconds: Number(phone.at(-1)) },
  );
  await delivery.deliverRound(delivery.dependencies({ sms: connector }));
  await delivery.hurry();
  const waiting = await delivery.knex('messages').where({ state: 'Queued' });
  const jobs = await claimAll(delivery.queue);
  expect(new Set(jobs.map(({ data }) => data.messageIds))).toEqual(new Set(waiting.map(({ id }) => [id])));
});

test('a failing connector does not affect others: what they sent is not sent again', async () => {
  await delivery.accept({ channel: 'Safaricom' }, { channel: 'Airtel', phone: '+254733000000' });
  const works = network(() => delivered);
  const fails: Connector = { send: () => Promise.reject(new Error('reset')) };
  const both = delivery.dependencies({ 'sms Safaricom': works.connector, 'sms Airtel': fails });
  await delivery.deliverRound(both);
  expect(await delivery.states()).toEqual(['Delivered', 'Queued']);
  await delivery.hurry();
  await delivery.deliverRound(both);
  expect(works.sent).toEqual(['+254711000000']);
});

test('a message that waited too long for its network fails and is refunded', async () => {
  await delivery.accept({ units: 3 });
  await delivery.knex.raw(`update requests set created_at = now() - interval '2 hours'`);
  const { connector, sent } = network(() => delivered);
  await delivery.deliverRound(delivery.dependencies({ sms: connector }));
  expect([sent, await delivery.states(), await delivery.balance()]).toEqual([[], ['Failed'], 1_000]);
});

test('one of which a part was already sent is not refunded', async () => {
  await delivery.accept({ units: 3 });
  const [message] = await delivery.knex('messages');
  const part = { connector: 'sms', network_id: 'A1', message_id: message.id, parts: 3, number: 1 };
  await delivery.knex('message_parts').insert(part);
  await delivery.knex.raw(`update requests set created_at = now() - interval '2 hours'`);
  await delivery.deliverRound(delivery.dependencies({ sms: network(() => delivered).connector }));
  expect([await delivery.states(), await delivery.receipts(), await delivery.balance()]).toEqual([
    ['Failed'],
    ['Failed'],
    997,
  ]);
});

describe('an SMS that accompanies a bundle', () => {
  const bundle = { product: 'data' as const, position: 0, content: '1GB' };
  const companion = { position: 0, units: 2, held: true };

  test('is sent once the bundle was delivered', async () => {
    await delivery.accept({ ...bundle, units: 1 }, companion);
    const provider = network(
      () => delivered,
      () => ({ kind: 'unknown' }),
    );
    const sms = network(() => delivered);
    const all = delivery.dependencies({ data: provider.connector, sms: sms.connector });
    await delivery.deliverRound(all);
    expect([await delivery.states(), sms.sent]).toEqual([['Delivered', 'Queued'], []]);
    await delivery.deliverRound(all);
    expect([await delivery.states(), sms.sent]).toEqual([['Delivered', 'Delivered'], ['+254711000000']]);
    expect([await delivery.receipts(), await delivery.balance()]).toEqual([['Delivered', 'Delivered'], 997]);
  });

  test('may wait for its network from then on as long as any other SMS', async () => {
    await delivery.accept({ ...bundle, units: 1 }, companion);
    const provider = network(
      () => delivered,
      () => ({ kind: 'unknown' }),
    );
    const sms = network(() => delivered);
    const all = delivery.dependencies({ data: provider.connector, sms: sms.connector });
    await delivery.deliverRound(all);
    await delivery.knex.raw(`update requests set created_at = created_at - interval '2 days'`);
    await delivery.deliverRound(all);
    expect(await delivery.states()).toEqual(['Delivered', 'Delivered']);
  });

  test('of a rejected bundle is cancelled without a receipt, and both are refunded', async () => {
    await delivery.accept({ ...bundle, units: 1 }, companion);
    const provider = network(
      () => ({ kind: 'rejected', state: 'InvalidMsisdn', reason: 'no such number' }),
      () => ({ kind: 'unknown' }),
    );
    await delivery.deliverRound(delivery.dependencies({ data: provider.connector }));
    expect([await delivery.states(), await delivery.receipts()]).toEqual([
      ['InvalidMsisdn', 'Cancelled'],
      ['InvalidMsisdn'],
    ]);
    expect(await delivery.balance()).toBe(1_000);
  });
});

test('a product may decide about a message before it is submitted', async () => {
  await delivery.accept({ product: 'data', content: '1GB' });
  const provider = network(
    () => delivered,
    () => ({ kind: 'unknown' }),
  );
  await delivery.deliverRound({
    ...delivery.dependencies({ data: provider.connector }),
    gates: {
      data: async ([message]) =>
        new Map([[message?.id ?? '', { kind: 'rejected', state: 'Duplicated', reason: 'Given already' }]]),
    },
  });
  expect([provider.sent, await delivery.states(), await delivery.receipts()]).toEqual([
    [],
    ['Duplicated'],
    ['Duplicated'],
  ]);
});

test('the steps of a chat-app message that a response names have a receipt each', async () => {
  await delivery.accept({ product: 'chatapp', channel: 'number-1', accountId: null, content: '{}' });
  const { connector } = network(() => ({
    kind: 'accepted',
    networkId: 'wamid.1',
    reports: ['Sent', 'Delivered', 'Read'],
  }));
  await delivery.deliverRound(delivery.dependencies({ chatapp: connector }));
  expect(await delivery.states()).toEqual(['Read']);
  expect(await delivery.receipts()).toEqual(['Sent', 'Delivered', 'Read']);
});
