/** A network may report only on messages that it was handed, whatever it claims, on a real database. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { NetworkReport } from '../../connectors/contract/connector.ts';
import type { Product } from '../../model/plan.ts';
import { productNames } from '../../model/products.ts';
import { networkStatesOf, type ReachedState, type ReportedState } from '../../model/states.ts';
import { clearTables } from '../../platform/db/testing.ts';
import { submitted } from '../../receipts/record-testing.ts';
import { markSending } from '../repository.ts';
import { openedReports } from './testing.ts';

/** Receipts that say what a receiver puts in order. */
const numbered = ({ state, sequence, reachedAt }: ReachedState) => ({ state, sequence, reachedAt });
const { messages, registry, accepted, handOver, store, round, stateOf } = openedReports({
  receipt: { sms: numbered, data: numbered, chatapp: numbered },
  follow: {},
});
beforeEach(() => clearTables(messages.database.knex, 'network_reports, message_parts'));

const reportedStates: readonly ReportedState[] = [
  ...new Set<ReportedState>(['Sent', ...productNames.flatMap(networkStatesOf)]),
];
const refunds: readonly NetworkReport['refund'][] = [undefined, 'refused', 'reversed'];
const sayings = reportedStates.flatMap((state) =>
  refunds.map((refund) => ({ state, reason: 'forged', ...(refund === undefined ? {} : { refund }) })),
);

async function report(connector: string, product: Product, reports: readonly NetworkReport[]): Promise<void> {
  await store(connector, reports, { product });
  while (await round());
}
/** Reports everything that can be said of each message. */
const forge = (connector: string, product: Product, claims: readonly Partial<NetworkReport>[]) =>
  report(
    connector,
    product,
    claims.flatMap((claim) => sayings.map((said) => ({ ...claim, ...said }))),
  );

/** A message that connector A has, or may have, in each state that it can be in. */
const situations = ['Sending', 'Submitted', 'Delivered', 'Failed'] as const;
type Situation = 'Queued' | (typeof situations)[number];

async function messageOf(product: Product, situation: Situation): Promise<{ id: string; networkId: string }> {
  const id = await accepted(product);
  const networkId = `network-${id}`;
  if (situation === 'Sending') await markSending(messages.database.knex, [id], 'a', []);
  else if (situation !== 'Queued') {
    await handOver(id, [networkId], 'a', product);
    if (situation !== 'Submitted')
      await messages.record({ messageId: id, product, state: situation, refund: false });
  }
  return { id, networkId };
}

/** All that a report could change. */
async function everything() {
  const { knex } = messages.database;
  return {
    messages: await knex('messages').orderBy('id'),
    receipts: await knex('receipts').orderBy('id'),
    entries: await knex('ledger_entries').orderBy('id'),
    accounts: await knex('accounts'),
  };
}

describe.each(productNames)('of a connector of %s', (product) => {
  test('no other connector, whatever it sends, can change a message', async () => {
    const own = await Promise.all(situations.map((situation) => messageOf(product, situation)));
    const before = await everything();
    const claims = own.flatMap(({ id, networkId }) => [
      { messageId: id },
      { networkId },
      { messageId: id, networkId },
    ]);
    for (const other of productNames) await forge('b', other, claims);
    expect(await everything()).toEqual(before);
    // Nor can one of another product that has the same name.
    for (const other of productNames.filter((one) => one !== product)) await forge('a', other, claims);
    expect(await everything()).toEqual(before);
  });

  test('a message that was not handed over cannot be ended, not even by its own connector', async () => {
    const { id, networkId } = await messageOf(product, 'Queued');
    const before = await everything();
    for (const connector of ['a', 'b']) await forge(connector, product, [{ messageId: id }, { networkId }]);
    expect(await everything()).toEqual(before);
  });

  test('its own report counts, however the message is named', async () => {
    const [byId, byNetworkId] = [
      await messageOf(product, 'Submitted'),
      await messageOf(product, 'Submitted'),
    ];
    await report('a', product, [
      { messageId: byId.id, state: 'Failed' },
      { networkId: byNetworkId.networkId, state: 'Failed' },
    ]);
    expect(await messages.statesOf([byId.id, byNetworkId.id])).toEqual(['Failed', 'Failed']);
  });
});

test('a report that overtakes the answer to the hand-over counts', async () => {
  const { id } = await messageOf('data', 'Sending');
  await report('a', 'data', [{ messageId: id, state: 'Delivered' }]);
  expect(await stateOf(id)).toBe('Delivered');
});

test('reports on messages of others are counted, by connector', async () => {
  const { id } = await messageOf('data', 'Submitted');
  await report('nosy', 'data', [{ messageId: id, state: 'Delivered' }]);
  expect(await registry.metrics()).toContain('tarishi_reports_ignored_total{connector="nosy"} 1');
});

describe('a part that its network took before the rest of the message left', () => {
  const sendPart = async () => {
    const id = await accepted();
    const part = { connector: 'a', network_id: 'p-1', message_id: id, parts: 2, number: 1 };
    await messages.database.knex('message_parts').insert(part);
    return id;
  };
  const fail = () => report('a', 'sms', [{ networkId: 'p-1', state: 'DeliveryImpossible' }]);

  test('can be reported on', async () => {
    const id = await sendPart();
    await fail();
    expect(await stateOf(id)).toBe('DeliveryImpossible');
  });

  test('no longer counts once another connector has the message', async () => {
    const id = await sendPart();
    await messages.record({ ...submitted(id), connector: 'b' });
    await fail();
    expect(await stateOf(id)).toBe('Submitted');
  });
});

test('states that a network reports at once are applied step by step, each at the time it gave', async () => {
  const { id } = await messageOf('chatapp', 'Submitted');
  await messages.database.knex.raw(
    `update messages set submitted_at = now() - interval '1 minute' where id = ?`,
    [id],
  );
  const at = (secondsAgo: number) => new Date(Math.floor(Date.now() / 1000 - secondsAgo) * 1000);
  const times = { Sent: at(30), Delivered: at(20), Read: at(10) };
  await report(
    'a',
    'chatapp',
    (['Read', 'Sent', 'Delivered'] as const).map((state) => ({
      messageId: id,
      state: state as ReportedState,
      occurredAt: times[state],
    })),
  );
  const receipts = await messages.database.knex('receipts').where({ message_id: id }).orderBy('sequence');
  expect(receipts.map(({ sequence, body }) => [sequence, JSON.parse(body)])).toEqual(
    (['Sent', 'Delivered', 'Read'] as const).map((state, index) => [
      index + 1,
      { state, sequence: index + 1, reachedAt: times[state].toISOString() },
    ]),
  );
});
