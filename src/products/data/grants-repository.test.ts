/** Who may have a bundle of a campaign: one at a time, and one in each window. */
import { randomBytes } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ReachedState } from '../../model/states.ts';
import { testDatabase } from '../../platform/db/opened-testing.ts';
import { createSecrets } from '../../platform/secrets/secrets.ts';
import type { Frequency } from './campaign.ts';
import { claimGrants, findGrants, settleGrants } from './grants-repository.ts';

/** The window of each frequency, as the contract says it. */
const windows: [Frequency, string][] = [
  ['Hourly', '1 hour'],
  ['Daily', '1 day'],
  ['Weekly', '7 days'],
  ['BiWeekly', '14 days'],
  ['Monthly', '1 month'],
  ['Quarterly', '3 months'],
  ['SemiAnnual', '6 months'],
  ['Annual', '1 year'],
];

const database = testDatabase();
beforeAll(async () => {
  const { knex } = database;
  await knex('teams').insert({ id: 'team', name: 'Team' });
  await knex('services').insert({ id: 'sms', team_id: 'team', name: 'SMS', sender: 'TARISHI' });
  for (const frequency of ['OneTime', 'Unlimited', ...windows.map(([name]) => name)])
    await knex('campaigns').insert({
      id: frequency,
      team_id: 'team',
      name: frequency,
      service_id: 'sms',
      allowed_denominations: '["1GB"]',
      frequency,
    });
});
beforeEach(() => database.knex('campaign_grants').delete());

const phone = '+254711000000';
const { hashPhone } = createSecrets(randomBytes(32));
const bundle = (id: string, resourceId: Frequency = 'OneTime', to = phone) => ({ id, resourceId, phone: to });

/** The results, in the order of the bundles. */
async function claim(...bundles: ReturnType<typeof bundle>[]) {
  const grants = await claimGrants(database.knex, bundles, hashPhone);
  return bundles.map(({ id }) => grants.get(id));
}

const reached = (messageId: string, state: ReachedState['state'], resourceId: Frequency = 'OneTime') =>
  ({ messageId, resourceId, phone, state }) as ReachedState;

const settle = (...all: ReachedState[]) =>
  database.knex.transaction((trx) => settleGrants(trx, all, hashPhone));

const age = (interval: string) =>
  database.knex.raw('update campaign_grants set given_at = now() - ?::interval', [interval]);

test('the table has hashes, and a number that was replaced by its hash has the same grant', async () => {
  await claim(bundle('1'));
  expect(await database.knex('campaign_grants').pluck('phone_hash')).toEqual([hashPhone(phone)]);
  expect(await claim(bundle('2', 'OneTime', hashPhone(phone)))).toEqual(['claimed']);
});

describe('one bundle at a time', () => {
  test('of two to one phone the older one is given, in whatever order', async () => {
    expect(await claim(bundle('2'), bundle('1'))).toEqual(['claimed', 'open']);
  });

  test('the holder of the grant keeps it, even beside an older one', async () => {
    expect(await claim(bundle('2'))).toEqual(['open']);
    expect(await claim(bundle('1'), bundle('2'))).toEqual(['claimed', 'open']);
  });

  test('other phones and other campaigns have grants of their own', async () => {
    const bundles = [bundle('1'), bundle('2', 'OneTime', '+254733000000'), bundle('3', 'Daily')];
    expect(await claim(...bundles)).toEqual(['open', 'open', 'open']);
  });

  test('a campaign without limit has no grants', async () => {
    expect(await claim(bundle('1', 'Unlimited'), bundle('2', 'Unlimited'))).toEqual([undefined, undefined]);
  });

  test('of concurrent claims for the same phones one wins', async () => {
    const phones = Array.from({ length: 50 }, (_, place) => `+2547110000${10 + place}`);
    const answers = await Promise.all(
      [1, 2, 3, 4].map((round) =>
        claim(...phones.map((to, place) => bundle(`${round}${place}`, 'Daily', to))),
      ),
    );
    for (const place of phones.keys())
      expect(answers.map((answer) => answer[place]).filter((grant) => grant === 'open')).toHaveLength(1);
  });
});

describe('the outcome of the bundle that had the grant', () => {
  test.each<[ReachedState['state'][], string]>([
    [['Delivered'], 'used'],
    [['Uncertain'], 'used'],
    [['Failed'], 'open'],
    [['Duplicated'], 'open'],
    [['Delivered', 'Failed'], 'open'],
    [['Uncertain', 'Delivered'], 'used'],
    [['Uncertain', 'Failed'], 'open'],
  ])('%j, of one batch: for the next one it is %s', async (states, grant) => {
    await claim(bundle('1'));
    await settle(...states.map((state) => reached('1', state)));
    expect(await claim(bundle('2'))).toEqual([grant]);
  });

  test('a repeat that ended as Duplicated does not free the grant', async () => {
    await claim(bundle('1'));
    await settle(reached('1', 'Delivered'));
    await settle(reached('2', 'Duplicated'));
    expect(await claim(bundle('3'))).toEqual(['used']);
  });
});

describe('the window, from the delivery on', () => {
  test.each(windows)('%s: one in %s', async (frequency, window) => {
    await claim(bundle('1', frequency));
    await settle(reached('1', 'Delivered', frequency));
    await age(`${window} -1 minute`);
    expect(await claim(bundle('2', frequency))).toEqual(['used']);
    await age(`${window} 1 minute`);
    expect(await claim(bundle('2', frequency), bundle('3', frequency))).toEqual(['open', 'claimed']);
  });

  test('OneTime: never again', async () => {
    await claim(bundle('1'));
    await settle(reached('1', 'Delivered'));
    await age('100 years');
    expect(await claim(bundle('2'))).toEqual(['used']);
  });
});

test('looking at grants shows what a claim would get, and claims nothing', async () => {
  const look = async (campaign: Frequency) =>
    (await findGrants(database.knex, campaign, [phone, '+254711000001'], hashPhone)).get(phone);
  expect([await look('Daily'), await look('Unlimited')]).toEqual(['open', undefined]);
  await claim(bundle('1', 'Daily'));
  expect(await look('Daily')).toBe('claimed');
  await settle(reached('1', 'Delivered', 'Daily'));
  expect(await look('Daily')).toBe('used');
  await age('1 day');
  expect(await look('Daily')).toBe('open');
  expect(await claim(bundle('2', 'Daily'))).toEqual(['open']);
});
