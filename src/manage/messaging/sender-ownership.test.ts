/** Which teams may have a sender, and who approves it: nobody takes what another team or the platform has. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { teams } from '../access/teams.ts';
import { createConnector } from '../networks/connectors.ts';
import { sentencesOf, testManaged } from '../testing.ts';
import { senderRules } from './sender-rules.ts';
import { reviewSender, senders } from './senders.ts';
import { smsServices } from './sms-services.ts';

const managed = testManaged();
beforeAll(async () => {
  for (const id of ['acme', 'other', 'third']) await teams.create(managed.management, { id });
  await createConnector(managed.management, {
    name: 'smsc',
    kind: 'smpp',
    settings: { host: 'smsc.example', port: 2775, systemId: 'a' },
    secrets: { password: 'hush' },
  });
});

/** Acme has 22141 and ACME, other has its own, and shares 22141; 22142 is what people see of OTHER in Kenya. */
beforeEach(async () => {
  const { knex } = managed.database;
  for (const table of ['services', 'senders']) await knex(table).delete();
  const platform = managed.management;
  const service = (id: string, teamId: string, sender: string) =>
    smsServices.create(platform, { id, teamId, sender });
  await senders.create(platform, { id: 'shared', teamId: 'other', sender: '22141', keyword: 'OTHER' });
  await service('orders', 'acme', 'ORDERS');
  await senders.create(platform, { id: '22141', teamId: 'acme', sender: '22141', keyword: 'ACME' });
  await service('brand', 'acme', 'ACME');
  await service('theirs', 'other', 'OTHER');
  await senders.change(platform, 'other', { uses: [{}, { country: 'KE', as: '22142' }] });
  await senders.create(platform, { id: 'verify', category: 'UTILITY', sender: 'VERIFY' });
});

type Change = Parameters<typeof smsServices.change>[2];
/** What the caller is told. */
const told = (change: Promise<unknown>) => sentencesOf(change).catch((error: Error) => [error.message]);
const as = (team: string | undefined) => ({ ...managed.management, team });
const add = (team: string | undefined, change: Change & { sender: string; teamId?: string }) =>
  told(smsServices.create(as(team), { id: 'new', teamId: team ?? 'other', ...change }));
const change = (team: string | undefined, id: string, to: Change) =>
  told(smsServices.change(as(team), id, to));

const ask = (team: string | undefined, given: Partial<Parameters<typeof senders.create>[1]>) =>
  told(senders.create(as(team), { id: 'asked', teamId: team ?? null, sender: 'NEW', ...given }));

const taken = (sender: string) =>
  `another team has the sender ${sender}: only a user of the platform can add it for another`;
const unshared = (sender: string, team: string) =>
  `another team has the sender ${sender}: add it for team ${team} first`;
const isManaged = (sender: string) =>
  `${sender} is a sender of the platform (verify): only its templates are sent with it`;
const forPlatform = (deed: string) => `Permission denied: only users of the platform may ${deed}.`;

type Row = [what: string, attempt: () => Promise<string[]>, faults: string[]];
const spellings = ['ORDERS', 'O.R-d ers'];

test.each<Row>([
  ...spellings.map((sender): Row => [`acme adds ${sender}`, () => add('acme', { sender }), []]),
  ['the platform gives it to another team', () => ask(undefined, { teamId: 'other', sender: 'ACME' }), []],
  ['what is shared serves both', () => add('other', { sender: '+22141' }), []],
  ['it keeps its sender when it changes otherwise', () => change('other', 'theirs', { name: 'Ours' }), []],
  ['what nobody has, asked for', () => ask('third', {}), []],
])('%s', async (_what, attempt) => {
  expect(await attempt()).toEqual([]);
});

testEvery<Row>([
  ...spellings.map(
    (sender): Row => [`other adds ${sender}`, () => add('other', { sender }), [taken(sender)]],
  ),
  [
    'the platform adds it as another team’s',
    () => add(undefined, { sender: 'ACME' }),
    [unshared('ACME', 'other')],
  ],
  ['a third may not take what is shared', () => add('third', { sender: '22141' }), [taken('22141')]],
  ['nor what is seen elsewhere', () => add('third', { sender: '22142' }), [taken('22142')]],
  ['nor be seen as it', () => ask('third', { uses: [{ as: '22142' }] }), [taken('22142')]],
  ['a team has it once', () => ask('acme', { sender: 'acme' }), ['sender acme is acme already']],
  [
    'a team approves',
    () => ask('third', { uses: [{ status: 'Approved' }] }),
    [forPlatform('approve senders')],
  ],
  ['a team sets a keyword', () => ask('third', { keyword: 'NEW' }), [forPlatform('set keyword')]],
  [
    'a team changes what was approved for another name',
    () => told(senders.change(as('other'), 'other', { sender: 'NEW' })),
    [forPlatform('set sender')],
  ],
  [
    'a keyword of another team',
    () => told(senders.change(as(undefined), 'shared', { keyword: 'acme' })),
    ['sender 22141 has the keyword acme'],
  ],
  [
    'what a service has',
    () => told(senders.change(as(undefined), 'acme', { sender: 'NEW' })),
    ['service brand has the sender ACME: give it another one first'],
  ],
  [
    'a team names connectors',
    () => add('other', { sender: 'NEW', inboundConnectors: ['smsc'] }),
    [forPlatform('set inboundConnectors')],
  ],
  [
    'a connector that sends no SMS',
    () => change(undefined, 'orders', { inboundConnectors: ['chat-simulator'] }),
    ['connector chat-simulator cannot send SMS: its kind is chat-simulator'],
  ],
  ['the platform adds what is its own', () => add(undefined, { sender: 'Verify' }), [isManaged('Verify')]],
  [
    'the platform gives what is its own',
    () => ask(undefined, { teamId: 'acme', sender: 'VERIFY.' }),
    [isManaged('VERIFY.')],
  ],
  [
    'one of the platform that a team has',
    () => ask(undefined, { category: 'UTILITY', sender: 'acme' }),
    ['a team has the sender acme: it cannot be one of the platform'],
  ],
  [
    'one of the platform that changes to it',
    () => told(senders.change(as(undefined), 'verify', { sender: '22141' })),
    ['a team has the sender 22141: it cannot be one of the platform'],
  ],
  [
    'one of the platform without a category',
    () => ask(undefined, {}),
    ['category must be given for a sender of the platform'],
  ],
  [
    'a number as it is written at home',
    () => add('other', { sender: '0711000000' }),
    [
      'sender must be a name of up to 11 letters, digits, spaces, . _ and -, a number with its country, or a short code',
    ],
  ],
  [
    'two uses for one country',
    () => ask('third', { uses: [{ country: 'KE' }, { country: 'KE', as: '22199' }] }),
    ['uses must be one for each channel and country'],
  ],
])('%s', async (_what, attempt, faults) => {
  expect(await attempt()).toEqual(faults);
});

describe('rules of countries', () => {
  const broken = (rule: string) => `Sender NEW cannot be used in SG: ${rule}. Source: SGNIC`;
  const unregistered = broken('it needs a use of that country or channel with its registrations');
  const registrations = { uen: '201912345A' };
  beforeAll(async () => {
    const rules = { shared: false, registeredKinds: ['Alphanumeric'], source: 'SGNIC' } as const;
    await senderRules.change(managed.management, 'SG', { ...rules, enabled: true });
  });
  afterAll(() => senderRules.change(managed.management, 'SG', { enabled: false }).then(() => undefined));

  test.each<Row>([
    ['a use that breaks one', () => ask('third', { uses: [{ country: 'SG' }] }), [unregistered]],
    ['a use that keeps to them', () => ask('third', { uses: [{ country: 'SG', registrations }] }), []],
    ['a use for everywhere', () => ask('third', {}), []],
    [
      'a use that is refused',
      () => ask(undefined, { teamId: 'third', uses: [{ country: 'SG', status: 'Rejected' }] }),
      [],
    ],
    [
      'what several teams have',
      async () => {
        await ask('acme', { id: 'first' });
        return ask(undefined, { teamId: 'third', uses: [{ country: 'SG', registrations }] });
      },
      [broken('another team has it')],
    ],
  ])('%s', async (_what, attempt, faults) => {
    expect(await attempt()).toEqual(faults);
  });

  test('what was asked for before a rule counts is not approved against it, and may be rejected', async () => {
    await senderRules.change(managed.management, 'SG', { enabled: false });
    await ask('third', { uses: [{ country: 'SG' }] });
    await senderRules.change(managed.management, 'SG', { enabled: true });
    const decide = (decision: 'Approved' | 'Rejected') =>
      told(reviewSender(managed.management, 'asked', { decision }));
    expect(await decide('Approved')).toEqual([unregistered]);
    expect(await decide('Rejected')).toEqual([]);
  });
});

test('another sender takes back what the platform said of the former one', async () => {
  await smsServices.change(as(undefined), 'theirs', { inboundConnectors: ['smsc'] });
  await smsServices.change(as('other'), 'theirs', { sender: 'O.T.H.E.R' });
  expect((await smsServices.get(managed.management, 'theirs')).inboundConnectors).toEqual(['smsc']);
  await smsServices.change(as('other'), 'theirs', { sender: 'OURS' });
  expect((await smsServices.get(managed.management, 'theirs')).inboundConnectors).toEqual([]);
});

test('of two teams that take a sender at once, one gets it', async () => {
  const attempts = await Promise.all([
    add('other', { sender: 'FRESH' }),
    told(smsServices.create(as('third'), { id: 'late', teamId: 'third', sender: 'FRESH' })),
  ]);
  expect(attempts.flat()).toEqual([taken('FRESH')]);
});

describe('a review', () => {
  const find = async (id: string) => {
    const { status, uses, approvedUses, reviewComment } = await senders.get(managed.management, id);
    return { status, uses, approvedUses, reviewComment };
  };
  const approved = [{ status: 'Approved' }];

  test('comes before what a team asks for counts, and before what it changes', async () => {
    await add('third', { sender: 'NEW' });
    const none = { approvedUses: null, reviewComment: null };
    expect(await find('new')).toEqual({ status: 'Pending', uses: [{ status: 'Pending' }], ...none });
    await reviewSender(as(undefined), 'new', { decision: 'Approved', comment: 'Fine.' });
    const first = { status: 'Approved', uses: approved, approvedUses: approved, reviewComment: 'Fine.' };
    expect(await find('new')).toEqual(first);
    const more = { country: 'KE', as: '22199' };
    await senders.change(as('third'), 'new', { uses: [{ status: 'Approved' }, more] });
    const uses = [...approved, { ...more, status: 'Pending' }];
    expect(await find('new')).toEqual({ ...first, status: 'Pending', uses, reviewComment: null });
    await reviewSender(as(undefined), 'new', { decision: 'Rejected' });
    const rejected = [...approved, { ...more, status: 'Rejected' }];
    expect(await find('new')).toEqual({
      ...first,
      uses: rejected,
      approvedUses: rejected,
      reviewComment: null,
    });
    expect(await told(reviewSender(as(undefined), 'new', { decision: 'Approved' }))).toEqual([
      'sender new is not pending approval',
    ]);
  });

  test('is not needed where senders are open, nor of what the platform gives', async () => {
    const open = { ...as('third'), sendersOpen: true };
    await smsServices.create(open, { id: 'open', teamId: 'third', sender: 'NEW' });
    expect(await find('new')).toMatchObject({ status: 'Approved', approvedUses: approved });
    expect(await find('acme')).toMatchObject({ status: 'Approved', approvedUses: approved });
  });
});
