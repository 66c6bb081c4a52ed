/** Delivery against a real database and queue: what is submitted, once, and what follows. */

import { beforeEach, describe, expect, test } from '@jest/globals';
import { claimAll } from '../queue/testing.ts';
import { delivered, network, openedDelivery, provider } from './testing.ts';

const delivery = openedDelivery(1_000);

const bundle = { product: 'data', content: '1GB' } as const;

test('messages of one request that are retried at different times are in separate jobs', async () => {
  const phones = ['+254711000001', '+254711000002', '+254711000003'];
  await delivery.accept(...phones.map((phone) => ({ phone })));
  const { connector } = network(({ phone }) =>
    phone.endsWith('3') ? delivered : { kind: 'later', delaySeconds: Number(phone.at(-1)) },
  );
  await delivery.deliver({ sms: connector });
  await delivery.hurry();
  const waiting = await delivery.knex('messages').where({ state: 'Queued' });
  const jobs = await claimAll(delivery.queue);
  expect(new Set(jobs.map(({ data }) => data.messageIds))).toEqual(new Set(waiting.map(({ id }) => [id])));
});

test('a message that waited too long for its network expires and is refunded', async () => {
  await delivery.accept({ units: 3 });
  await delivery.knex.raw(`update requests set created_at = now() - interval '2 hours'`);
  const { connector, sent } = network(() => delivered);
  await delivery.deliver({ sms: connector });
  expect([sent, await delivery.states(), await delivery.balance()]).toEqual([[], ['Expired'], 1_000]);
});

test('one of which a part was already sent is not refunded', async () => {
  await delivery.accept({ units: 3 });
  const [message] = await delivery.knex('messages');
  const part = { connector: 'sms', network_id: 'A1', message_id: message.id, parts: 3, number: 1 };
  await delivery.knex('message_parts').insert(part);
  await delivery.knex.raw(`update requests set created_at = now() - interval '2 hours'`);
  await delivery.deliver({ sms: network(() => delivered).connector });
  expect([await delivery.receipts(), await delivery.balance()]).toEqual([['Expired'], 997]);
});

describe('an SMS that accompanies a bundle', () => {
  const sms = network(() => delivered);
  beforeEach(async () => {
    sms.sent.length = 0;
    await delivery.accept({ ...bundle, position: 0 }, { position: 0, units: 2, held: true });
  });

  test('is sent once the bundle was delivered', async () => {
    const connectors = { data: provider().connector, sms: sms.connector };
    await delivery.deliver(connectors);
    expect([await delivery.states(), sms.sent]).toEqual([['Delivered', 'Queued'], []]);
    await delivery.deliver(connectors);
    expect([await delivery.states(), sms.sent]).toEqual([['Delivered', 'Delivered'], ['+254711000000']]);
    expect([await delivery.receipts(), await delivery.balance()]).toEqual([['Delivered', 'Delivered'], 997]);
  });

  test('may wait for its network from then on as long as any other SMS', async () => {
    await delivery.deliver({ data: provider().connector });
    await delivery.knex.raw(`update requests set created_at = created_at - interval '2 days'`);
    await delivery.deliver({ sms: sms.connector });
    expect(await delivery.states()).toEqual(['Delivered', 'Delivered']);
  });

  test('of a rejected bundle is cancelled without a receipt, and both are refunded', async () => {
    const rejected = { kind: 'rejected', state: 'InvalidMsisdn', reason: 'no such number' } as const;
    await delivery.deliver({ data: provider(() => rejected).connector });
    expect(await delivery.states()).toEqual(['InvalidMsisdn', 'Cancelled']);
    expect([await delivery.receipts(), await delivery.balance()]).toEqual([['InvalidMsisdn'], 1_000]);
  });
});

test('a product may decide about a message before it is submitted', async () => {
  await delivery.accept(bundle);
  const { connector, sent } = provider();
  const duplicate = { kind: 'rejected', state: 'Duplicated', reason: 'Given already' } as const;
  await delivery.deliverRound({
    ...delivery.dependencies({ data: connector }),
    gates: { data: async ([message]) => new Map([[message?.id ?? '', duplicate]]) },
  });
  expect([sent, await delivery.states(), await delivery.receipts()]).toEqual([
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
  await delivery.deliver({ chatapp: connector });
  expect(await delivery.states()).toEqual(['Read']);
  expect(await delivery.receipts()).toEqual(['Sent', 'Delivered', 'Read']);
});

test('parts that left and could not be stored are stored with the outcome, and count as sent', async () => {
  await delivery.accept({ units: 3 });
  const [message] = await delivery.knex('messages');
  const sent = [{ messageId: message.id, number: 1, parts: 3, networkId: 'A1' }];
  const { connector } = network(() => ({ kind: 'later', delaySeconds: 0, sent }));
  await delivery.deliver({ sms: connector });
  expect(await delivery.knex('message_parts')).toMatchObject([{ network_id: 'A1', number: 1, parts: 3 }]);
  expect(await delivery.states()).toEqual(['Queued']);
});

test('an SMS whose submission could not be stored at once is submitted with the outcome of its lot', async () => {
  await delivery.accept({});
  const { connector } = network(() => ({ kind: 'accepted', networkId: 'A1', segments: 1 }));
  await delivery.deliver({ sms: connector });
  const [message] = await delivery.knex('messages');
  expect(message).toMatchObject({ state: 'Submitted', network_id: 'A1', connector: 'sms', segments: 1 });
  expect(await delivery.knex('jobs')).toEqual([]);
});
