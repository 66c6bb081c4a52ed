/** Reports of simulated networks: sent when they are due, through the path of every network, until they are stored. */

import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Database } from '../../platform/db/knex.ts';
import { openTestDatabase } from '../../platform/db/testing.ts';
import type { Connector, NetworkReport, OutboundMessage } from '../contract/connector.ts';
import type { ConnectorContext } from '../contract/kind.ts';
import { longLease } from '../contract/lease-testing.ts';
import type { PhoneMessage } from '../contract/phone-message.ts';
import { publishedScripts } from './published-scripts.ts';
import { createSimulators, type Simulators } from './simulators.ts';

let database: Database;
let simulators: Simulators;

beforeAll(async () => {
  database = await openTestDatabase(process.env.DATABASE_URL);
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.knex('simulated_reports').delete();
  simulators = createSimulators(database.knex, publishedScripts);
});

const open = (
  name: string,
  report: ConnectorContext['report'],
  receive: ConnectorContext['receive'] = async () => {},
): Connector => simulators.open('chatapp')({}, {}, { name, report, receive } as ConnectorContext);
const message = (id: string): OutboundMessage => ({
  id,
  product: 'chatapp',
  channel: '1065',
  phone: '+254711000000',
  sender: null,
  content: '{}',
});
const pass = (seconds: number) =>
  database.knex.raw(`update simulated_reports set due_at = due_at - ? * interval '1 second'`, [seconds]);

test('each report is sent once, when it is due, in order', async () => {
  const heard: NetworkReport[] = [];
  const { send } = open('chat', async (reports) => void heard.push(...reports));
  await send([message('7'), message('8')], longLease);
  await simulators.round();
  expect(heard).toEqual([]);
  await pass(1);
  await simulators.round();
  await simulators.round();
  const delivered = (id: string) => ({ messageId: id, networkId: `simulated.${id}`, state: 'Delivered' });
  expect(heard).toEqual([delivered('7'), delivered('8')]);
  await pass(2);
  await simulators.round();
  expect(heard.slice(2)).toMatchObject([{ state: 'Read' }, { state: 'Read' }]);
  expect(await database.knex('simulated_reports')).toEqual([]);
});

test('a report that could not be stored is sent again', async () => {
  let failing = true;
  const heard: NetworkReport[] = [];
  const { send } = open('chat', async (reports) => {
    if (failing) throw new Error('the database is away');
    heard.push(...reports);
  });
  await send([message('7')], longLease);
  await pass(10);
  await expect(simulators.round()).rejects.toThrow('the database is away');
  failing = false;
  await simulators.round();
  expect(heard).toEqual([]);
  await pass(10);
  await simulators.round();
  expect(heard.map(({ state }) => state)).toEqual(['Delivered', 'Read']);
});

test('a network whose connector is closed keeps its reports for the next one', async () => {
  const { send, close } = open('chat', async () => {
    throw new Error('closed');
  });
  await send([message('7')], longLease);
  await pass(10);
  await close?.();
  expect(await simulators.round()).toBe(false);
  const heard: NetworkReport[] = [];
  open('chat', async (reports) => void heard.push(...reports));
  await simulators.round();
  expect(heard).toHaveLength(2);
});

test('…0011 replies STOP to each message, which comes again if it could not be stored', async () => {
  let failing = true;
  const heard: PhoneMessage[] = [];
  const { send } = open(
    'chat',
    async () => {},
    async (messages) => {
      heard.push(...messages);
      if (failing) throw new Error('the database is away');
    },
  );
  const phone = '+254711000011';
  await send([{ ...message('7'), phone, sender: '+254709000001' }], longLease);
  await pass(1);
  await expect(simulators.round()).rejects.toThrow('the database is away');
  failing = false;
  await pass(10);
  await simulators.round();
  await simulators.round();
  const [first, again] = heard;
  expect(heard).toHaveLength(2);
  expect(again).toEqual(first);
  const content = { kind: 'text', text: 'STOP' };
  expect(first).toMatchObject({ from: phone, to: '+254709000001', toId: '1065', body: { content } });
});
