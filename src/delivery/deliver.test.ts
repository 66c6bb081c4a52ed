/** Delivery against a real database and queue: who hands over what, once, and what follows. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { Asked, Connector, HandOver, OutboundMessage } from '../connectors/connector.ts';
import type { Database } from '../db/knex.ts';
import { openTestDatabase } from '../db/testing.ts';
import { createEvents } from '../events.ts';
import { commitPlans } from '../intake/commit.ts';
import type { PlannedMessage } from '../intake/plan.ts';
import { type DeliveryDependencies, deliverRound } from './deliver.ts';
import { releaseHeld } from './held.ts';
import { type Queue, startQueue } from './queue.ts';
import { reportRound } from './report.ts';

const logger = pino({ level: 'silent' });
let database: Database;
let queue: Queue;
let accountId: string;

beforeAll(async () => {
  database = await openTestDatabase(process.env.DATABASE_URL);
  queue = await startQueue(database, logger, false);
});
afterAll(async () => {
  await queue.stop();
  await database.close();
});

beforeEach(async () => {
  const { knex } = database;
  await knex.raw('truncate requests, messages, receipts; delete from pgboss.job');
  const teamId = randomUUID();
  await knex('teams').insert({ id: teamId, name: teamId });
  const account = { team_id: teamId, product: 'sms', balance: 1_000 };
  [{ id: accountId }] = await knex('accounts').insert(account).returning('id');
  await knex('ledger_entries').insert({ account_id: accountId, units: 1_000, reason: 'TopUp' });
});

type Shape = Partial<PlannedMessage>;

/** Accepts one request with these messages, as intake does. */
async function accept(...shapes: Shape[]): Promise<void> {
  const messages = shapes.map(
    (shape, position): PlannedMessage => ({
      product: 'sms',
      position,
      channel: 'Safaricom',
      phone: '+254711000000',
      content: 'Habari',
      units: 1,
      accountId,
      held: false,
      ...shape,
    }),
  );
  const plan = {
    teamId: 't',
    clientId: 'c',
    operation: 'o',
    resourceId: 'r',
    sender: 'TARISHI',
    receiptRequest: { callbackUrl: 'https://client.example/receipts', correlator: 'order-17' },
    messages,
    accepted: { requestId: randomUUID(), units: {}, addresses: {} },
    idempotency: undefined,
  };
  expect(await commitPlans(database.knex, [plan], (jobs) => queue.insertion('deliver', jobs))).toEqual([
    'accepted',
  ]);
}

/** A network that writes down what it is sent, and answers as told. */
function network(answer: (message: OutboundMessage) => HandOver, ask?: (message: OutboundMessage) => Asked) {
  const sent: string[] = [];
  const asked: string[] = [];
  const connector: Connector = {
    send: async (messages) =>
      messages.map((message) => {
        sent.push(message.phone);
        return answer(message);
      }),
  };
  if (ask !== undefined)
    connector.ask = async (messages) =>
      messages.map((message) => {
        asked.push(message.phone);
        return ask(message);
      });
  return { connector, sent, asked };
}

function dependencies(connectors: Record<string, Connector>): DeliveryDependencies {
  const receipt = ({ phone, state }: { phone: string; state: string }) => ({ phone, state });
  return {
    knex: database.knex,
    logger,
    queue,
    routeOf: async (product, channel) => {
      const name = connectors[`${product} ${channel}`] === undefined ? product : `${product} ${channel}`;
      const connector = connectors[name];
      return connector === undefined ? undefined : { name, connector };
    },
    gates: {},
    consequences: {
      receipt: { sms: receipt, data: receipt, chatapp: receipt },
      follow: { data: (trx, reached) => releaseHeld(trx, queue, reached) },
    },
    events: createEvents(new Registry(), logger),
    validitySeconds: 3_600,
    onReceipts: () => {},
  };
}

const states = async () => (await database.knex('messages').orderBy('id')).map(({ state }) => state);
const receipts = async () =>
  (await database.knex('receipts').orderBy('created_at')).map(({ body }) => JSON.parse(body).state);
const balance = async () =>
  Number((await database.knex('accounts').where({ id: accountId }).first()).balance);
/** What waits for its time is due now. */
const hurry = () => database.knex.raw(`update pgboss.job set start_after = now() where state < 'active'`);

const delivered: HandOver = { kind: 'accepted', reports: [{ state: 'Delivered', afterSeconds: 0 }] };

describe('a message that no network may get twice', () => {
  test('is marked before it is sent, and sent once', async () => {
    await accept({ product: 'data', content: '1GB' });
    const seen: string[] = [];
    const { connector } = network(
      () => delivered,
      () => ({ kind: 'unknown' }),
    );
    const spy: Connector = {
      ...connector,
      send: async (messages) => {
        seen.push(...(await states()));
        return connector.send(messages);
      },
    };
    await deliverRound(dependencies({ data: spy }));
    expect([seen, await states()]).toEqual([['Sending'], ['Delivered']]);
  });

  test('whose hand-over was interrupted is asked about, and not sent again', async () => {
    await accept({ product: 'data', content: '1GB' });
    await database.knex('messages').update({ state: 'Sending' });
    const { connector, sent, asked } = network(
      () => delivered,
      () => delivered,
    );
    await deliverRound(dependencies({ data: connector }));
    expect([sent, asked, await states()]).toEqual([[], ['+254711000000'], ['Delivered']]);
  });

  test('that the network never got is sent after asking', async () => {
    await accept({ product: 'data', content: '1GB' });
    await database.knex('messages').update({ state: 'Sending' });
    const { connector, sent, asked } = network(
      () => delivered,
      () => ({ kind: 'unknown' }),
    );
    await deliverRound(dependencies({ data: connector }));
    expect([sent, asked]).toEqual([['+254711000000'], ['+254711000000']]);
  });

  test('with an unclear outcome is asked about, not sent, at the next try', async () => {
    await accept({ product: 'data', content: '1GB' });
    const { connector, sent, asked } = network(
      () => ({ kind: 'unclear', delaySeconds: 5 }),
      () => delivered,
    );
    await deliverRound(dependencies({ data: connector }));
    expect(await states()).toEqual(['Sending']);
    await hurry();
    await deliverRound(dependencies({ data: connector }));
    expect([sent, asked, await states()]).toEqual([['+254711000000'], ['+254711000000'], ['Delivered']]);
  });

  test('that the network did not take is queued as before', async () => {
    await accept({ product: 'data', content: '1GB' });
    const { connector } = network(
      () => ({ kind: 'later', delaySeconds: 1 }),
      () => ({ kind: 'unknown' }),
    );
    await deliverRound(dependencies({ data: connector }));
    expect(await states()).toEqual(['Queued']);
  });

  test('is not sent when the connector fails before it answers, only asked about', async () => {
    await accept({ product: 'data', content: '1GB' });
    const connector: Connector = {
      send: () => Promise.reject(new Error('reset')),
      ask: async (messages) => messages.map(() => delivered),
    };
    await deliverRound(dependencies({ data: connector }));
    expect(await states()).toEqual(['Sending']);
    await hurry();
    await deliverRound(dependencies({ data: connector }));
    expect(await states()).toEqual(['Delivered']);
  });
});

test('a connector that fails takes no other with it: what others sent is not sent again', async () => {
  await accept({ channel: 'Safaricom' }, { channel: 'Airtel', phone: '+254733000000' });
  const works = network(() => delivered);
  const fails: Connector = { send: () => Promise.reject(new Error('reset')) };
  const both = dependencies({ 'sms Safaricom': works.connector, 'sms Airtel': fails });
  await deliverRound(both);
  expect(await states()).toEqual(['Delivered', 'Queued']);
  await hurry();
  await deliverRound(both);
  expect(works.sent).toEqual(['+254711000000']);
});

test('a message that waited too long for its network fails and is paid back', async () => {
  await accept({ units: 3 });
  await database.knex.raw(`update requests set created_at = now() - interval '2 hours'`);
  const { connector, sent } = network(() => delivered);
  await deliverRound(dependencies({ sms: connector }));
  expect([sent, await states(), await balance()]).toEqual([[], ['Failed'], 1_000]);
});

describe('an SMS that accompanies a bundle', () => {
  const bundle = { product: 'data' as const, position: 0, content: '1GB' };
  const companion = { position: 0, units: 2, held: true };

  test('goes once the bundle was delivered', async () => {
    await accept({ ...bundle, units: 1 }, companion);
    const provider = network(
      () => delivered,
      () => ({ kind: 'unknown' }),
    );
    const sms = network(() => delivered);
    const all = dependencies({ data: provider.connector, sms: sms.connector });
    await deliverRound(all);
    expect([await states(), sms.sent]).toEqual([['Delivered', 'Queued'], []]);
    await deliverRound(all);
    expect([await states(), sms.sent]).toEqual([['Delivered', 'Delivered'], ['+254711000000']]);
    expect([await receipts(), await balance()]).toEqual([['Delivered', 'Delivered'], 997]);
  });

  test('of a bundle that was refused is cancelled without a receipt, and both are paid back', async () => {
    await accept({ ...bundle, units: 1 }, companion);
    const provider = network(
      () => ({ kind: 'rejected', state: 'InvalidMsisdn', reason: 'no such number' }),
      () => ({ kind: 'unknown' }),
    );
    await deliverRound(dependencies({ data: provider.connector }));
    expect([await states(), await receipts()]).toEqual([['InvalidMsisdn', 'Cancelled'], ['InvalidMsisdn']]);
    expect(await balance()).toBe(1_000);
  });
});

test('a product may decide about a message before its network hears of it', async () => {
  await accept({ product: 'data', content: '1GB' });
  const provider = network(
    () => delivered,
    () => ({ kind: 'unknown' }),
  );
  await deliverRound({
    ...dependencies({ data: provider.connector }),
    gates: {
      data: async ([message]) =>
        new Map([[message?.id ?? '', { kind: 'rejected', state: 'Duplicated', reason: 'Given already' }]]),
    },
  });
  expect([provider.sent, await states(), await receipts()]).toEqual([[], ['Duplicated'], ['Duplicated']]);
});

test('the steps of a chat-app message have a receipt each', async () => {
  await accept({ product: 'chatapp', channel: 'number-1', accountId: null, content: '{}' });
  const { connector } = network(() => ({
    kind: 'accepted',
    networkId: 'wamid.1',
    reports: [
      { state: 'Sent', afterSeconds: 0 },
      { state: 'Delivered', afterSeconds: 1 },
      { state: 'Read', afterSeconds: 2 },
    ],
  }));
  const all = dependencies({ chatapp: connector });
  await deliverRound(all);
  expect([await states(), await receipts()]).toEqual([['Sent'], ['Sent']]);
  await hurry();
  await reportRound(all);
  expect(await states()).toEqual(['Read']);
  expect((await receipts()).at(-1)).toBe('Read');
});
