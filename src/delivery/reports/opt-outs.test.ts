/** What networks report of people who do not want to be written to, and what it is about. */
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Category } from '../../model/plan.ts';
import type { ReachedState } from '../../model/states.ts';
import { hashPhone, openedDelivery } from '../testing.ts';
import { learnOptOuts } from './opt-out-repository.ts';

const delivery = openedDelivery();
beforeAll(async () => {
  const { knex } = delivery;
  await knex('teams').insert({ id: 't', name: 't' });
  await knex('connectors').insert(
    ['smpp', 'simulator'].map((kind) => ({ name: `of-${kind}`, kind, settings: '{}' })),
  );
});
beforeEach(async () => {
  await delivery.reset(1_000);
  await delivery.knex('opt_outs').delete();
});

async function learn(change: Partial<ReachedState>, category: Category = 'MARKETING', kind = 'smpp') {
  const { knex } = delivery;
  const { product = 'sms' } = change;
  await delivery.acceptRequest({ category, resourceId: 'shop' }, [{ product, content: '{}' }]);
  await knex('messages').update({ connector: `of-${kind}` });
  const [{ id }] = await knex('messages');
  const phone = '+254711000000';
  const reached = { messageId: String(id), product, teamId: 't', phone, reasonCode: null, ...change };
  await knex.transaction((trx) => learnOptOuts(trx, [reached as ReachedState], hashPhone));
  return (await knex('opt_outs')).map(({ service_id, target, source, team_id }) => [
    ...[team_id, service_id, target, source],
  ]);
}

test.each<[string, Partial<ReachedState>, Category, unknown[]]>([
  ['an opt-out: the team', { state: 'SubscriberOptedOut' }, 'MARKETING', ['t', null, 'MARKETING', 'Network']],
  [
    'refused codes: everything',
    { state: 'SubscriberOptedOut' },
    'AUTHENTICATION',
    ['t', null, 'ALL', 'Network'],
  ],
  [
    'a blocked sender: its service',
    { state: 'SenderBlacklisted' },
    'UTILITY',
    ['t', 'shop', 'ALL', 'Network'],
  ],
  [
    'WhatsApp, no more marketing: the service',
    { product: 'chatapp', state: 'SubscriberOptedOut', reasonCode: '131050' },
    'MARKETING',
    ['t', 'shop', 'MARKETING', 'Network'],
  ],
])('%s', async (_what, change, category, entry) => {
  expect(await learn(change, category)).toEqual([entry]);
});

test.each<[string, Partial<ReachedState>, string]>([
  ['another end', { state: 'Failed' }, 'smpp'],
  ['our own list', { state: 'SubscriberOptedOut', reasonCode: 'opt-out-list' }, 'smpp'],
  ['a simulated network', { state: 'SubscriberOptedOut' }, 'simulator'],
])('nothing is learnt from %s', async (_what, change, kind) => {
  expect(await learn(change, 'MARKETING', kind)).toEqual([]);
});
