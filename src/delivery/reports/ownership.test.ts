/** A network may report only on messages that it was handed, whatever it claims, on a real database. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { NetworkReport } from '../../connectors/contract/connector.ts';
import { cleanReports } from '../../connectors/contract/network-text.ts';
import { type KindName, productOfKind } from '../../connectors/runtime/kinds.ts';
import { productNames } from '../../model/products.ts';
import { networkStatesOf, type ReachedState, type ReportedState } from '../../model/states.ts';
import { clearTables } from '../../platform/db/testing.ts';
import { createEvents } from '../../process/events.ts';
import type { Consequences } from '../../receipts/record.ts';
import { consequences, recordedMessages, submitted } from '../../receipts/record-testing.ts';
import { markSending } from '../repository.ts';
import { createReportStore, networkReportRound } from './network-reports.ts';
import { insertParts } from './part-repository.ts';

const logger = pino({ level: 'silent' });
const registry = new Registry();
const events = createEvents(registry, logger);
const messages = recordedMessages();
beforeEach(() => clearTables(messages.database.knex, 'network_reports, message_parts'));

const kinds = Object.keys(productOfKind) as KindName[];
const reportedStates: readonly ReportedState[] = [
  ...new Set<ReportedState>(['Sent', ...productNames.flatMap(networkStatesOf)]),
];
const refunds: readonly NetworkReport['refund'][] = [undefined, 'refused', 'reversed'];
const sayings = reportedStates.flatMap((state) =>
  refunds.map((refund) => ({ state, reason: 'forged', ...(refund === undefined ? {} : { refund }) })),
);

/** Receipts that say what a receiver puts in order. */
const numbered = ({ state, sequence, reachedAt }: ReachedState) => ({ state, sequence, reachedAt });
const told: Consequences = { ...consequences, receipt: { sms: numbered, data: numbered, chatapp: numbered } };

async function report(connector: string, kind: KindName, reports: readonly NetworkReport[]): Promise<void> {
  const { knex } = messages.database;
  const store = createReportStore({
    knex,
    logger,
    consequences: told,
    events,
    onReceipts: () => {},
    submissionsStored: async () => {},
    onStored: () => {},
  });
  await store(
    { connector, product: productOfKind[kind] },
    cleanReports(reports, () => {}),
  );
  while (await networkReportRound({ knex, logger, consequences: told, events, onReceipts: () => {} }));
}

/** A message that connector A has, or may have, in each state that it can be in. */
const situations = ['Sending', 'Submitted', 'Delivered', 'Failed'] as const;
type Situation = 'Queued' | (typeof situations)[number];

async function messageOf(kind: KindName, situation: Situation): Promise<{ id: string; networkId: string }> {
  const { knex } = messages.database;
  const product = productOfKind[kind];
  const [id = ''] = await messages.accept(1, { product });
  const networkId = `network-${id}`;
  const connector = 'a';
  if (situation !== 'Queued')
    await knex.transaction((trx) =>
      insertParts(trx, [{ connector, networkId, messageId: id, parts: 1, state: null }]),
    );
  if (situation === 'Sending') await markSending(knex, [id], connector, []);
  else if (situation !== 'Queued') {
    await messages.record({ ...submitted(id), product, connector });
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

describe.each(kinds)('of a connector of the kind %s', (kind) => {
  test('no other connector, of whatever kind, can change a message', async () => {
    const own = await Promise.all(situations.map((situation) => messageOf(kind, situation)));
    const before = await everything();
    const claims = own.flatMap(({ id, networkId }) => [
      { messageId: id },
      { networkId },
      { messageId: id, networkId },
    ]);
    for (const other of kinds)
      await report(
        'b',
        other,
        claims.flatMap((claim) => sayings.map((said) => ({ ...claim, ...said }))),
      );
    expect(await everything()).toEqual(before);
  });

  test('another kind of the same name cannot change a message', async () => {
    const own = await Promise.all(situations.map((situation) => messageOf(kind, situation)));
    const before = await everything();
    const claims = own.flatMap(({ id, networkId }) => [{ messageId: id }, { networkId }]);
    for (const other of kinds.filter((one) => productOfKind[one] !== productOfKind[kind]))
      await report(
        'a',
        other,
        claims.flatMap((claim) => sayings.map((said) => ({ ...claim, ...said }))),
      );
    expect(await everything()).toEqual(before);
  });

  test('a message that was not handed over cannot be ended, not even by its own connector', async () => {
    const { id, networkId } = await messageOf(kind, 'Queued');
    const before = await everything();
    for (const connector of ['a', 'b'])
      for (const claim of [{ messageId: id }, { networkId }])
        await report(
          connector,
          kind,
          sayings.map((said) => ({ ...claim, ...said })),
        );
    expect(await everything()).toEqual(before);
  });

  test('its own report counts, however the message is named', async () => {
    for (const name of ['id', 'networkId'] as const) {
      const { id, networkId } = await messageOf(kind, 'Submitted');
      const claim = name === 'id' ? { messageId: id } : { networkId };
      await report('a', kind, [{ ...claim, state: 'Failed' }]);
      expect(await messages.statesOf([id])).toEqual(['Failed']);
    }
  });
});

test('a report that overtakes the answer to the hand-over counts', async () => {
  const { id } = await messageOf('bundles', 'Sending');
  await report('a', 'bundles', [{ messageId: id, state: 'Delivered' }]);
  expect(await messages.statesOf([id])).toEqual(['Delivered']);
});

test('reports on messages of others are counted, by connector', async () => {
  const { id } = await messageOf('bundles', 'Submitted');
  await report('nosy', 'bundles', [{ messageId: id, state: 'Delivered' }]);
  expect(await registry.metrics()).toContain('tarishi_reports_ignored_total{connector="nosy"} 1');
});

test('a part that its network took can be reported on before the rest of the message left, by that network only', async () => {
  const { knex } = messages.database;
  const [id = ''] = await messages.accept(1);
  await knex('message_parts').insert({
    connector: 'a',
    network_id: 'p-1',
    message_id: id,
    parts: 2,
    number: 1,
  });
  await report('a', 'simulator', [{ networkId: 'p-1', state: 'DeliveryImpossible' }]);
  expect(await messages.statesOf([id])).toEqual(['DeliveryImpossible']);
});

test('a message that another connector has meanwhile is no longer the former one’s', async () => {
  const { knex } = messages.database;
  const [id = ''] = await messages.accept(1);
  await knex('message_parts').insert({
    connector: 'a',
    network_id: 'p-2',
    message_id: id,
    parts: 2,
    number: 1,
  });
  await messages.record({ ...submitted(id), connector: 'b' });
  await report('a', 'smpp', [{ networkId: 'p-2', state: 'DeliveryImpossible' }]);
  expect(await messages.statesOf([id])).toEqual(['Submitted']);
});

test('states that a network reports at once are applied step by step, each at the time it gave', async () => {
  const { id } = await messageOf('whatsapp', 'Submitted');
  await messages.database.knex.raw(
    `update messages set submitted_at = now() - interval '1 minute' where id = ?`,
    [id],
  );
  const at = (secondsAgo: number) => new Date(Math.floor(Date.now() / 1000 - secondsAgo) * 1000);
  const times = { Sent: at(30), Delivered: at(20), Read: at(10) };
  await report(
    'a',
    'whatsapp',
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
