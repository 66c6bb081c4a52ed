/** Which services may have a sender: nobody takes what another team has, or what a managed sender has. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { teams } from '../access/teams.ts';
import { createConnector } from '../networks/connectors.ts';
import { type Managed, openManaged, sentencesOf } from '../testing.ts';
import { managedSenders } from './managed-senders.ts';
import { smsServices } from './sms-services.ts';

let managed: Managed;
beforeAll(async () => {
  managed = await openManaged(process.env.DATABASE_URL);
  for (const id of ['acme', 'other', 'third']) await teams.create(managed.management, { id });
  await createConnector(managed.management, {
    name: 'smsc',
    kind: 'smpp',
    settings: { host: 'smsc.example', port: 2775, systemId: 'a' },
    secrets: { password: 'hush' },
  });
});
afterAll(() => managed.database.close());

/** Acme has 22141 and ACME, other has its own; its service shared may share 22141. */
beforeEach(async () => {
  const { knex } = managed.database;
  for (const table of ['services', 'managed_services']) await knex(table).delete();
  const add = (id: string, team_id: string, sender: string, more = {}) =>
    knex('services').insert({ id, team_id, name: id, sender, ...more });
  await add('orders', 'acme', '22141');
  await add('brand', 'acme', 'ACME');
  await add('theirs', 'other', 'OTHER');
  await add('shared', 'other', '22141', { shared_sender: true, inbound_connectors: '["smsc"]' });
  await knex('managed_services').insert({ key: 'verify', name: 'V', category: 'UTILITY', sender: 'VERIFY' });
});

type Change = Parameters<typeof smsServices.change>[2];
/** What the caller is told. */
const told = (change: Promise<unknown>) => sentencesOf(change).catch((error: Error) => [error.message]);
const as = (team: string | undefined) => ({ ...managed.management, team });
const add = (team: string | undefined, change: Change & { sender: string; teamId?: string }) =>
  told(smsServices.create(as(team), { id: 'new', teamId: team ?? 'other', ...change }));
const change = (team: string | undefined, id: string, to: Change) =>
  told(smsServices.change(as(team), id, to));

const taken = (sender: string) =>
  `another team has the sender ${sender}: only a user of the platform can let a service share it`;
const unshared = (sender: string) =>
  `another team has the sender ${sender}: set sharedSender to let the service share it`;
const isManaged = (sender: string) =>
  `${sender} is the sender of managed sender verify: only its templates are sent with it`;
const forPlatform = (name: string) => `Permission denied: only users of the platform may set ${name}.`;

const spellings = ['22141', '+22141', 'ACME', 'Acme', 'A.C.M.E', 'acme ', 'A-CME'];
test.each<[string, () => Promise<string[]>, string[]]>([
  ...spellings.flatMap((sender): [string, () => Promise<string[]>, string[]][] => [
    [`other adds ${sender}`, () => add('other', { sender }), [taken(sender)]],
    [`other changes to ${sender}`, () => change('other', 'theirs', { sender }), [taken(sender)]],
    [`acme adds ${sender}`, () => add('acme', { sender }), []],
  ]),
  ['the platform adds it as another team’s', () => add(undefined, { sender: '22141' }), [unshared('22141')]],
  ['the platform shares it', () => add(undefined, { sender: '22141', sharedSender: true }), []],
  ['a third may not take what is shared', () => add('third', { sender: '22141' }), [taken('22141')]],
  ['sharing gives no second service', () => add('other', { sender: '22141' }), [taken('22141')]],
  [
    'sharing ends with another sender',
    () => change(undefined, 'shared', { sharedSender: false }),
    [unshared('22141')],
  ],
  ['it keeps its sender when it changes otherwise', () => change('other', 'shared', { name: 'Ours' }), []],
  ['nothing changes', () => change('other', 'shared', { sender: '22141', sharedSender: true }), []],
  ['what nobody has', () => add('third', { sender: 'NEW' }), []],
  [
    'a team grants itself',
    () => change('other', 'theirs', { sharedSender: true }),
    [forPlatform('sharedSender')],
  ],
  [
    'a team names connectors',
    () => add('other', { sender: 'NEW', inboundConnectors: ['smsc'] }),
    [forPlatform('inboundConnectors')],
  ],
  [
    'a connector that sends no SMS',
    () => change(undefined, 'orders', { inboundConnectors: ['chat-simulator'] }),
    ['connector chat-simulator cannot send SMS: its kind is chat-simulator'],
  ],
  ...['VERIFY', 'Verify', 'VERIFY.'].flatMap((sender): [string, () => Promise<string[]>, string[]][] => [
    [
      `the platform adds ${sender}`,
      () => add(undefined, { sender, sharedSender: true }),
      [isManaged(sender)],
    ],
    [`a team changes to ${sender}`, () => change('other', 'theirs', { sender }), [isManaged(sender)]],
  ]),
  [
    'a managed sender with that of a service',
    () => told(managedSenders.create(as(undefined), { key: 'brand', category: 'UTILITY', sender: 'acme' })),
    ['service brand has the sender acme: give it another one first'],
  ],
  [
    'a managed sender that changes to it',
    () => told(managedSenders.change(as(undefined), 'verify', { sender: '22141' })),
    ['service orders has the sender 22141: give it another one first'],
  ],
  [
    'a number as it is written at home',
    () => add('other', { sender: '0711000000' }),
    [
      'sender must be a name of up to 11 letters, digits, spaces, . _ and -, a number with its country, or a short code',
    ],
  ],
])('%s', async (_what, attempt, faults) => {
  expect(await attempt()).toEqual(faults);
});

test('another sender takes back what the platform said of the former one, and begins anew', async () => {
  const find = () => smsServices.get(managed.management, 'shared');
  const before = await find();
  await smsServices.change(as('other'), 'shared', { sender: '+22141' });
  expect(await find()).toEqual({ ...before, sender: '+22141' });
  await smsServices.change(as('other'), 'shared', { sender: 'OURS' });
  const after = await find();
  expect(after).toMatchObject({ sharedSender: false, inboundConnectors: [] });
  expect(after.senderSince.getTime()).toBeGreaterThan(before.senderSince.getTime());
});

test('of two teams that take a sender at once, one gets it', async () => {
  const attempts = await Promise.all([
    add('other', { sender: 'FRESH' }),
    told(smsServices.create(as('third'), { id: 'late', teamId: 'third', sender: 'FRESH' })),
  ]);
  expect(attempts.flat()).toEqual([taken('FRESH')]);
});
