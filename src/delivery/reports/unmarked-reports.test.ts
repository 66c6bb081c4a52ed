/** Reports that esm_class does not call one count for messages to the number that they come from, and for no other. */
import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { cleanReports } from '../../connectors/contract/network-text.ts';
import { createEvents } from '../../process/events.ts';
import { consequences, recordedMessages, submitted } from '../../receipts/record-testing.ts';
import { createReportStore, networkReportRound } from './network-reports.ts';
import { insertParts } from './part-repository.ts';

const messages = recordedMessages();

const reporter = { connector: 'smsc', product: 'sms' } as const;
const listeners = () => {
  const logger = pino({ level: 'silent' });
  return {
    knex: messages.database.knex,
    logger,
    consequences,
    events: createEvents(new Registry(), logger),
    onReceipts: () => {},
  };
};
const unmarked = (networkId: string, phone: string) =>
  createReportStore({ ...listeners(), submissionsStored: async () => {}, onStored: () => {} })(
    reporter,
    cleanReports([{ networkId, phone, state: 'Delivered' }], () => {}),
  );

/** Looks at everything that waits, due or not. */
async function look(): Promise<void> {
  await messages.database.knex.raw('update network_reports set next_look_at = now()');
  while (await networkReportRound(listeners()));
}

async function handOver(messageId: string, networkIds: readonly string[]): Promise<void> {
  const { length: parts } = networkIds;
  const all = networkIds.map((networkId) => ({
    connector: 'smsc',
    networkId,
    messageId,
    parts,
    state: null,
  }));
  await messages.database.knex.transaction((trx) => insertParts(trx, all));
  await messages.record({ ...submitted(messageId), ...reporter });
}

const [own, strange] = ['+254711000000', '+254722000000'];

async function accept(): Promise<string> {
  const [id = ''] = await messages.accept(1, { product: 'sms' });
  await messages.database.knex('messages').where({ id }).update({ phone: own });
  return id;
}
const waiting = async () => (await messages.database.knex('network_reports')).length;
const stateOf = async (id: string) => (await messages.statesOf([id]))[0];

test.each([
  ['a message', ['u-1']],
  ['a message of several parts', ['u-2', 'u-3']],
])('counts for %s to the number that it comes from, and for no other', async (_what, networkIds) => {
  const id = await accept();
  await handOver(id, networkIds);
  for (const networkId of networkIds) await unmarked(networkId, strange);
  await look();
  expect([await stateOf(id), await waiting()]).toEqual(['Submitted', 0]);
  for (const networkId of networkIds) await unmarked(networkId, own);
  expect(await stateOf(id)).toBe('Delivered');
});

test.each([
  [own, 'Delivered'],
  [strange, 'Submitted'],
])('waits for a message that is not known yet: from %s it is then %s', async (phone, state) => {
  const id = await accept();
  await unmarked(`w-${phone}`, phone);
  expect(await waiting()).toBe(1);
  await handOver(id, [`w-${phone}`]);
  await look();
  expect([await stateOf(id), await waiting()]).toEqual([state, 0]);
});
