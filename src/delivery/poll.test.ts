/** Bundles whose network is silent: queried on a schedule, against a real database and queue. */
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { Connector, QueryResult } from '../connectors/contract/connector.ts';
import { createEvents } from '../process/events.ts';
import { createQueue, type Queue } from '../queue/queue.ts';
import { consequences, recordedMessages } from '../receipts/record-testing.ts';
import { insertPolls, pollRound } from './poll.ts';

const logger = pino({ level: 'silent' });
let queue: Queue;
const messages = recordedMessages();
beforeAll(async () => {
  queue = createQueue(messages.database.knex);
});
beforeEach(() => messages.database.knex.raw('delete from jobs'));

/** Bundles that their network has taken; their first poll is planned. */
async function submitted(count: number): Promise<string[]> {
  const ids = await messages.accept(count, { product: 'data' });
  await messages.record(
    ...ids.map(
      (messageId) =>
        ({ messageId, product: 'data', state: 'Submitted', connector: 'provider', refund: false }) as const,
    ),
  );
  await messages.database.knex.transaction((trx) => insertPolls(trx, queue, ids));
  return ids;
}

/** Seconds until the polls that are planned. */
async function planned(): Promise<number[]> {
  const { rows } = await messages.database.knex.raw<{ rows: { seconds: number }[] }>(
    `select round(extract(epoch from due_at - service_now()))::integer as seconds from jobs
     where queue = 'poll' and not claimed order by 1`,
  );
  return rows.map(({ seconds }) => seconds);
}

async function poll(ask: Connector['ask'] | 'nobody'): Promise<void> {
  const { knex } = messages.database;
  await knex.raw('update jobs set due_at = service_now() where not claimed');
  const connector: Connector = { send: async () => [], ...(typeof ask === 'function' ? { ask } : {}) };
  await pollRound({
    knex,
    queue,
    logger,
    consequences,
    events: createEvents(new Registry(), logger),
    connectorNamed: (name) => (ask === 'nobody' || name !== 'provider' ? undefined : connector),
    onReceipts: () => {},
  });
}

const all =
  (asked: QueryResult): NonNullable<Connector['ask']> =>
  async (bundles) =>
    bundles.map(() => asked);
const pending: QueryResult = { kind: 'accepted', networkId: 'T1' };

test('after 1, 5, 15 and 60 minutes, then ever more rarely up to once a day', async () => {
  await submitted(1);
  const waits = [];
  for (let polls = 0; polls < 10; polls += 1) {
    waits.push(...(await planned()));
    await poll(all(pending));
  }
  const minutes = waits.map((seconds) => Math.round(seconds / 60));
  expect(minutes).toEqual([1, 4, 10, 45, 120, 180, 360, 720, 1440, 1440]);
});

test("a delivery ends it, with the network's id", async () => {
  const [id = ''] = await submitted(1);
  await poll(all({ ...pending, reports: ['Delivered'] }));
  expect(await messages.rowsOf([id])).toMatchObject([{ state: 'Delivered', network_id: 'T1' }]);
  expect([await planned(), (await messages.receiptsOf([id])).length]).toEqual([[], 1]);
});

test('a rejection ends it and refunds the units', async () => {
  const [id = ''] = await submitted(1);
  await poll(all({ kind: 'rejected', state: 'InvalidMsisdn', reason: 'no such number', reasonCode: 'X' }));
  expect(await messages.rowsOf([id])).toMatchObject([{ state: 'InvalidMsisdn', reason_code: 'X' }]);
  expect([await planned(), (await messages.refundsOf([id])).length]).toEqual([[], 1]);
});

test('a network that no longer knows it is queried again, and never gets it again', async () => {
  const [id = ''] = await submitted(1);
  await poll(all({ kind: 'unknown' }));
  expect([await messages.statesOf([id]), await planned()]).toEqual([['Submitted'], [240]]);
});

test.each<[string, Connector['ask'] | 'nobody']>([
  ['without a response', all({ kind: 'unclear', delaySeconds: 5 })],
  ['by a paused connector', 'nobody'],
  ['by a connector that fails', () => Promise.reject(new Error('reset'))],
])('%s: queried again in a minute', async (_name, ask) => {
  await submitted(1);
  await poll(ask);
  expect(await planned()).toEqual([60]);
  await poll(all(pending));
  expect(await planned()).toEqual([240]);
});

test('messages that were reported meanwhile, and networks that cannot be queried, are left alone', async () => {
  const [reported = '', other = ''] = await submitted(2);
  await messages.record({ messageId: reported, product: 'data', state: 'Delivered', refund: false });
  const asked: string[] = [];
  await poll(async (bundles) => {
    asked.push(...bundles.map(({ id }) => id));
    return bundles.map(() => pending);
  });
  expect(asked).toEqual([other]);
  await poll(undefined);
  expect(await planned()).toEqual([]);
});

test('messages that are queried again at the same time stay together', async () => {
  const ids = await submitted(150);
  await poll(async (bundles) => bundles.map(({ id }) => (id === ids[0] ? { kind: 'unknown' } : pending)));
  expect(await planned()).toEqual([240, 240]);
  await poll(async (bundles) =>
    bundles.map(({ id }) => (id === ids[0] ? { kind: 'unclear', delaySeconds: 1 } : pending)),
  );
  expect(await planned()).toEqual([60, 600, 600]);
});
