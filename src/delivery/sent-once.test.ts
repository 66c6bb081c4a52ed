/** Bundles and chat-app messages: whatever happens to a hand-over, no network gets one twice, and the one that may have it is queried. */
import { describe, expect, test } from '@jest/globals';
import type { Connector, HandOver } from '../connectors/contract/connector.ts';
import { longLease } from '../connectors/contract/lease-testing.ts';
import { claimAll } from '../queue/testing.ts';
import { recordSilence } from '../receipts/record.ts';
import { pollRound } from './poll.ts';
import { delivered, network, openedDelivery, provider } from './testing.ts';

const delivery = openedDelivery(1_000);

const bundle = { product: 'data', content: '1GB' } as const;
const unclear: HandOver = { kind: 'unclear', delaySeconds: 5 };

/** Its submission has begun, and nobody knows whether it arrived. */
async function interrupt(message: object = bundle): Promise<void> {
  await delivery.accept(message);
  await delivery.knex('messages').update({ state: 'Sending' });
}

describe('a message that no network may get twice', () => {
  test('is marked before it is sent, and sent once', async () => {
    await delivery.accept(bundle);
    const seen: string[] = [];
    const { connector } = provider();
    const spy: Connector = {
      ...connector,
      send: async (messages) => {
        seen.push(...(await delivery.states()));
        return connector.send(messages, longLease);
      },
    };
    await delivery.deliver({ data: spy });
    expect([seen, await delivery.states()]).toEqual([['Sending'], ['Delivered']]);
  });

  test('whose hand-over was interrupted is queried, and not sent again', async () => {
    await interrupt();
    const { connector, sent, asked } = network(
      () => delivered,
      () => delivered,
    );
    await delivery.deliver({ data: connector });
    expect([sent, asked, await delivery.states()]).toEqual([[], ['+254711000000'], ['Delivered']]);
  });

  test('that the network does not know is sent once it does not know it ten seconds later either', async () => {
    await interrupt();
    const { connector, sent, asked } = provider();
    await delivery.deliver({ data: connector });
    await delivery.deliver({ data: connector });
    expect([sent, asked.length, await delivery.states()]).toEqual([[], 1, ['Sending']]);
    const [job] = await delivery.knex('jobs').select(delivery.knex.raw('due_at - service_now() as wait'));
    expect(job.wait.seconds).toBeGreaterThan(7);
    await delivery.hurry();
    await delivery.deliver({ data: connector });
    expect([sent.length, asked.length, await delivery.states()]).toEqual([1, 2, ['Delivered']]);
  });

  test('that a connector has waited for itself is sent at once', async () => {
    await interrupt({ product: 'chatapp', content: '{}' });
    const { connector, sent } = network(
      () => delivered,
      () => ({ kind: 'unknown', waited: true }),
    );
    await delivery.deliver({ chatapp: connector });
    expect(sent).toHaveLength(1);
  });

  test('that was sent again, by a worker that died, is asked about from the beginning', async () => {
    await interrupt();
    const { connector, sent, asked } = provider();
    await delivery.deliver({ data: connector });
    await delivery.hurry();
    void delivery.deliver({ data: { ...connector, send: () => new Promise<never>(() => {}) } });
    while (!(await delivery.knex('jobs').where({ claimed: true }).first())?.data || asked.length < 2);
    while ((await delivery.knex('jobs').first()).data.unknown);
    await delivery.knex('jobs').update({ claimed: false, due_at: delivery.knex.fn.now() });
    await delivery.deliver({ data: connector });
    expect([sent, asked.length]).toEqual([[], 3]);
  });

  test('that the network never got, and that is too old by now, expires and is refunded', async () => {
    await interrupt({ ...bundle, units: 3 });
    await delivery.knex.raw(`update requests set created_at = now() - interval '2 hours'`);
    const { connector, sent } = provider();
    await delivery.deliver({ data: connector });
    await delivery.hurry();
    await delivery.deliver({ data: connector });
    expect([sent, await delivery.states(), await delivery.balance()]).toEqual([[], ['Expired'], 1_000]);
  });

  test('with an unknown outcome for 72 hours is uncertain, and no longer queried', async () => {
    await delivery.accept({ ...bundle, units: 3 });
    const { connector, sent, asked } = network(
      () => unclear,
      () => unclear,
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
    await delivery.accept(bundle);
    await delivery.deliver({ data: provider(() => ({ kind: 'later', delaySeconds: 1 })).connector });
    expect(await delivery.knex('messages').select('state', 'submitted_at')).toEqual([
      { state: 'Queued', submitted_at: null },
    ]);
  });

  test('is not sent if the connector fails before it responds, only queried', async () => {
    await delivery.accept(bundle);
    const connector: Connector = {
      send: () => Promise.reject(new Error('reset')),
      ask: async (messages) => messages.map(() => delivered),
    };
    await delivery.deliver({ data: connector });
    expect(await delivery.states()).toEqual(['Sending']);
    await delivery.hurry();
    await delivery.deliver({ data: connector });
    expect(await delivery.states()).toEqual(['Delivered']);
  });
});

describe('when its channel moves to another connector', () => {
  /** How often the old one was sent the bundle and asked about it, and then the new one, if the old one responds so. */
  async function heard(answer: HandOver, after: (connectors: Record<string, Connector>) => Promise<unknown>) {
    const [old, fresh] = [answer, delivered].map((one) =>
      network(
        () => one,
        () => delivered,
      ),
    ) as [ReturnType<typeof network>, ReturnType<typeof network>];
    await delivery.accept(bundle);
    await delivery.deliver({ data: old.connector });
    await delivery.hurry();
    await after({ data: old.connector, 'data Safaricom': fresh.connector });
    return [old, fresh].flatMap(({ sent, asked }) => [sent.length, asked.length]);
  }

  test('the old one is queried about an interrupted hand-over', async () => {
    expect(await heard(unclear, delivery.deliver)).toEqual([1, 1, 0, 0]);
    expect(await delivery.states()).toEqual(['Delivered']);
  });

  test('while the old one cannot be queried, the new one does not get the message', async () => {
    const withoutOld = ({ data: _gone, ...fresh }: Record<string, Connector>) => delivery.deliver(fresh);
    expect(await heard(unclear, withoutOld)).toEqual([1, 0, 0, 0]);
    expect(await delivery.states()).toEqual(['Sending']);
  });

  test('the old one is queried about messages that it accepted', async () => {
    const poll = (connectors: Record<string, Connector>) => pollRound(delivery.dependencies(connectors));
    expect(await heard({ kind: 'accepted' }, poll)).toEqual([1, 1, 0, 0]);
  });

  test('the new one gets what the old one did not accept', async () => {
    expect(await heard({ kind: 'later', delaySeconds: 1 }, delivery.deliver)).toEqual([1, 0, 1, 0]);
  });
});
