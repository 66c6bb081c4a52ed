/** Messages of a channel with routes: which connector gets them, and where they move on to. */
import { describe, expect, test } from '@jest/globals';
import type { Connector, HandOver, OutboundMessage } from '../connectors/contract/connector.ts';
import type { Product } from '../model/plan.ts';
import type { Route } from '../model/route.ts';
import { createCancel } from './cancel/cancel.ts';
import { createLanes } from './lanes.ts';
import { listOrphans } from './orphans/repository.ts';
import { delivered, network, openedDelivery, provider } from './testing.ts';

const delivery = openedDelivery(10_000);

const rejected = (reasonCode: string): HandOver => ({
  ...{ kind: 'rejected', state: 'Failed' },
  ...{ reason: `says ${reasonCode}`, reasonCode },
});
const rejects = () => network(() => rejected('0x45'));
const takes = () => network(() => delivered);

/** Rounds of a world whose one route has these connectors, where `closed` names those that take no messages. */
function routed(
  connectors: Record<string, Connector>,
  { closed = new Set(), ...more }: Partial<Route> & { closed?: Set<string>; soon?: boolean } = {},
) {
  const find = (name: string) => (closed.has(name) ? undefined : connectors[name]);
  const all = delivery.routed(Object.keys(connectors), find, more);
  const lanes = createLanes(all);
  return async (rounds: number) => {
    for (let round = 0; round < rounds; round += 1) {
      await delivery.hurry();
      await delivery.deliverRound(all, lanes);
    }
  };
}

const accept = (messages = 1, product: Product = 'sms', content = 'Habari') =>
  delivery.accept(
    ...Array.from({ length: messages }, (_, place) => ({
      product,
      content,
      position: place,
      phone: `+2547${String(place).padStart(8, '0')}`,
    })),
  );
const hops = async () =>
  (await delivery.knex('messages').orderBy('id')).map(({ hops: noted }) =>
    (noted ?? []).map(({ connector, reason }: Record<string, string>) => `${connector}: ${reason}`),
  );

describe('the first connector that takes messages gets them', () => {
  test('and another one while it takes none, which is told', async () => {
    const [main, backup] = [takes(), takes()];
    const closed = new Set(['main']);
    await accept();
    const deliver = routed({ main: main.connector, backup: backup.connector }, { closed });
    await deliver(2);
    closed.clear();
    await accept();
    await deliver(2);
    expect([main.sent.length, backup.sent.length]).toEqual([1, 1]);
    expect(await hops()).toEqual([['main: it is paused'], []]);
  });

  test('but not while it is about to take them again', async () => {
    const backup = takes();
    await accept();
    await routed(
      { main: takes().connector, backup: backup.connector },
      { closed: new Set(['main']), soon: true },
    )(3);
    expect([backup.sent.length, await delivery.states()]).toEqual([0, ['Queued']]);
  });

  test('one that takes nothing of a lot rests: the next one has it within a second', async () => {
    const main = network(() => ({ kind: 'later', delaySeconds: 600 }));
    const backup = takes();
    await accept(5);
    const deliver = routed({ main: main.connector, backup: backup.connector });
    await deliver(2);
    const { rows } = await delivery.knex.raw(
      `select max(extract(epoch from due_at - service_now()))::float8 < 2 as soon from jobs`,
    );
    expect(rows).toEqual([{ soon: true }]);
    await deliver(1);
    expect([main.sent.length, backup.sent.length]).toEqual([5, 5]);
    expect(await delivery.states()).toEqual(Array(5).fill('Delivered'));
  });

  test('those with weights share them', async () => {
    const [main, backup] = [takes(), takes()];
    const via = [
      { connector: 'main', weight: 3 },
      { connector: 'backup', weight: 1 },
    ];
    const deliver = routed({ main: main.connector, backup: backup.connector }, { via });
    for (let count = 0; count < 8; count += 1) {
      await accept();
      await deliver(2);
    }
    expect([main.sent.length, backup.sent.length]).toEqual([6, 2]);
  });
});

describe('a message that one refuses', () => {
  test('goes to the next one, once each, and is told each refusal', async () => {
    const [first, second, third] = [rejects(), rejects(), takes()];
    await accept();
    await routed({ first: first.connector, second: second.connector, third: third.connector })(4);
    expect([first.sent.length, second.sent.length, third.sent.length]).toEqual([1, 1, 1]);
    expect(await delivery.states()).toEqual(['Delivered']);
    expect(await hops()).toEqual([['first: says 0x45', 'second: says 0x45']]);
  });

  test('ends as the last one says, and is refunded', async () => {
    const [first, second] = [rejects(), network(() => rejected('0x46'))];
    await accept();
    await routed({ first: first.connector, second: second.connector })(5);
    expect([first.sent.length, second.sent.length]).toEqual([1, 1]);
    expect([await delivery.states(), await delivery.balance()]).toEqual([['Failed'], 10_000]);
    expect(await delivery.knex('messages').first('reason_code')).toEqual({ reason_code: '0x46' });
  });

  test.each<[string, HandOver, Partial<Route>]>([
    ['because of its number', { kind: 'rejected', state: 'InvalidMsisdn', reason: 'no such number' }, {}],
    ['with a code that is not listed', rejected('0x45'), { nextOnCodes: ['0x58'] }],
  ])('%s, ends there', async (_why, outcome, route) => {
    const [first, second] = [network(() => outcome), takes()];
    await accept();
    await routed({ first: first.connector, second: second.connector }, route)(3);
    expect([first.sent.length, second.sent.length]).toEqual([1, 0]);
  });

  test('waits for the next one while that takes none', async () => {
    const [first, second] = [rejects(), takes()];
    const closed = new Set(['second']);
    await accept();
    const deliver = routed({ first: first.connector, second: second.connector }, { closed });
    await deliver(4);
    expect([first.sent.length, await delivery.states()]).toEqual([1, ['Queued']]);
    closed.clear();
    await deliver(2);
    expect([first.sent.length, second.sent.length]).toEqual([1, 1]);
  });
});

test('the network that has a part of a message gets the others too', async () => {
  const long = 'a'.repeat(200);
  let tries = 0;
  const first = network((message: OutboundMessage) => {
    tries += 1;
    const sent = [{ messageId: message.id, number: 1, parts: 2, networkId: 'n1' }];
    return tries === 1 ? { kind: 'later', delaySeconds: 1, sent } : delivered;
  });
  const second = takes();
  await accept(1, 'sms', long);
  await routed({ first: first.connector, second: second.connector })(3);
  expect([first.sent.length, second.sent.length]).toEqual([2, 0]);
});

describe('a bundle', () => {
  test('changes its provider once that has refused it', async () => {
    const unknown = () => ({ kind: 'unknown' as const });
    const [first, second] = [network(() => rejected('HTTP 400'), unknown), network(() => delivered, unknown)];
    await accept(1, 'data', '1GB');
    await routed({ first: first.connector, second: second.connector })(3);
    expect([first.sent.length, second.sent.length, await delivery.states()]).toEqual([1, 1, ['Delivered']]);
  });

  test('stays with a provider that may have given it, whatever others take', async () => {
    const unclear: HandOver = { kind: 'unclear', delaySeconds: 1 };
    const first = network(
      () => unclear,
      () => unclear,
    );
    const second = provider();
    const closed = new Set<string>();
    await accept(1, 'data', '1GB');
    const deliver = routed({ first: first.connector, second: second.connector }, { closed });
    await deliver(2);
    closed.add('first');
    await deliver(4);
    expect([first.sent.length, second.sent.length, await delivery.states()]).toEqual([1, 0, ['Sending']]);
  });
});

describe('a message that waits for the connectors of its route', () => {
  const waiting = async () => {
    await accept();
    await routed({ main: takes().connector }, { closed: new Set(['main']) })(2);
    const { rows } = await delivery.knex.raw('select lane from jobs');
    expect(rows).toEqual([{ lane: 'sms Safaricom 1/all' }]);
  };

  test('has its job: nothing gives it another one', async () => {
    await waiting();
    expect(await listOrphans(delivery.knex)).toEqual([]);
  });

  test('can be cancelled', async () => {
    await waiting();
    const { consequences } = delivery.dependencies({});
    const cancel = createCancel({ knex: delivery.knex, consequences, onReached: () => {} });
    const { id } = await delivery.knex('requests').first('id');
    expect(await cancel(id, undefined)).toMatchObject({ cancelled: 1 });
    expect([await delivery.states(), await delivery.knex('jobs')]).toEqual([['Cancelled'], []]);
  });
});
