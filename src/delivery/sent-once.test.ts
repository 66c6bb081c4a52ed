/** Bundles and chat-app messages: whatever happens to a hand-over, no network gets one twice. */

import { describe, expect, test } from '@jest/globals';
import type { Connector } from '../connectors/contract/connector.ts';
import { longLease } from '../connectors/contract/lease-testing.ts';
import { claimAll } from '../queue/testing.ts';
import { recordSilence } from '../receipts/record.ts';
import { delivered, network, openedDelivery } from './testing.ts';

const delivery = openedDelivery(1_000);

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
        return connector.send(messages, longLease);
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

  test('that the network does not know is sent once it does not know it ten seconds later either', async () => {
    await delivery.accept({ product: 'data', content: '1GB' });
    await delivery.knex('messages').update({ state: 'Sending' });
    const { connector, sent, asked } = network(
      () => delivered,
      () => ({ kind: 'unknown' }),
    );
    const all = delivery.dependencies({ data: connector });
    await delivery.deliverRound(all);
    await delivery.deliverRound(all);
    expect([sent, asked.length, await delivery.states()]).toEqual([[], 1, ['Sending']]);
    const [job] = await delivery.knex('jobs').select(delivery.knex.raw('due_at - service_now() as wait'));
    expect(job.wait.seconds).toBeGreaterThan(7);
    await delivery.hurry();
    await delivery.deliverRound(all);
    expect([sent.length, asked.length, await delivery.states()]).toEqual([1, 2, ['Delivered']]);
  });

  test('that a connector has waited for itself is sent at once', async () => {
    await delivery.accept({ product: 'chatapp', content: '{}' });
    await delivery.knex('messages').update({ state: 'Sending' });
    const { connector, sent } = network(
      () => delivered,
      () => ({ kind: 'unknown', waited: true }),
    );
    await delivery.deliverRound(delivery.dependencies({ chatapp: connector }));
    expect(sent).toHaveLength(1);
  });

  test('that was sent again, by a worker that died, is asked about from the beginning', async () => {
    await delivery.accept({ product: 'data', content: '1GB' });
    await delivery.knex('messages').update({ state: 'Sending' });
    const { connector, sent, asked } = network(
      () => delivered,
      () => ({ kind: 'unknown' }),
    );
    const all = delivery.dependencies({ data: connector });
    await delivery.deliverRound(all);
    await delivery.hurry();
    const dies = { ...connector, send: () => new Promise<never>(() => {}) };
    void delivery.deliverRound(delivery.dependencies({ data: dies }));
    while (!(await delivery.knex('jobs').where({ claimed: true }).first())?.data || asked.length < 2);
    while ((await delivery.knex('jobs').first()).data.unknown);
    await delivery.knex('jobs').update({ claimed: false, due_at: delivery.knex.fn.now() });
    await delivery.deliverRound(all);
    expect([sent, asked.length]).toEqual([[], 3]);
  });

  test('that the network never got, and that is too old by now, expires and is refunded', async () => {
    await delivery.accept({ product: 'data', content: '1GB', units: 3 });
    await delivery.knex('messages').update({ state: 'Sending' });
    await delivery.knex.raw(`update requests set created_at = now() - interval '2 hours'`);
    const { connector, sent } = network(
      () => delivered,
      () => ({ kind: 'unknown' }),
    );
    await delivery.deliverRound(delivery.dependencies({ data: connector }));
    await delivery.hurry();
    await delivery.deliverRound(delivery.dependencies({ data: connector }));
    expect([sent, await delivery.states(), await delivery.balance()]).toEqual([[], ['Expired'], 1_000]);
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
