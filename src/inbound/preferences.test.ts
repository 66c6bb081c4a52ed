/** What people set in a chat app: marketing of a sender stops, and comes back, whatever order networks tell it in. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { PhonePreference } from '../connectors/contract/phone-message.ts';
import { type InboundTestBed, openInbound, phone } from './testing.ts';

let inbound: InboundTestBed;
beforeAll(async () => {
  inbound = await openInbound();
  for (const id of ['shop', 'support']) await inbound.addChatService(id);
});
afterAll(() => inbound.database.close());
beforeEach(async () => {
  inbound.dropped.length = 0;
  for (const table of ['opt_outs', 'network_preferences']) await inbound.database.knex(table).delete();
});

const start = Date.now() - 3_600_000;
/** What was set so many seconds after the start. */
const said = (
  what: 'stop' | 'resume',
  second?: number,
  more: Partial<PhonePreference> = {},
): PhonePreference => ({
  ...{ from: '254711000000', to: '', toId: 'of-shop', marketing: what === 'resume' },
  ...(second === undefined ? {} : { occurredAt: new Date(start + second * 1_000) }),
  ...more,
});

const record = (...preferences: PhonePreference[]) => inbound.recordPreferences('chat', preferences);
const entries = () =>
  inbound.database.knex('opt_outs').select('phone', 'service_id', 'target', 'source', 'product');

test('stop adds an entry for MARKETING of the one service, and resume removes it', async () => {
  await record(said('stop'));
  await record(said('stop', undefined, { toId: 'of-support' }));
  const entry = { phone, product: 'chatapp', target: 'MARKETING', source: 'Network' };
  expect(await entries()).toEqual([
    { ...entry, service_id: 'shop' },
    { ...entry, service_id: 'support' },
  ]);
  await record(said('resume'));
  expect(await entries()).toEqual([{ ...entry, service_id: 'support' }]);
});

describe('late, repeated and in any order: the newest decision stands', () => {
  test.each<[string, PhonePreference[], number]>([
    ['an older stop after resume', [said('resume', 2), said('stop', 1)], 0],
    ['an older resume after stop', [said('stop', 2), said('resume', 1)], 1],
    ['the same call again', [said('stop', 1), said('resume', 2), said('stop', 1)], 0],
    ['both in one second', [said('resume', 1), said('stop', 1)], 1],
    ['both in one second, the other way round', [said('stop', 1), said('resume', 1)], 1],
  ])('%s', async (_what, preferences, left) => {
    for (const preference of preferences) await record(preference);
    expect(await entries()).toHaveLength(left);
    await inbound.database.knex('network_preferences').delete();
    await inbound.database.knex('opt_outs').delete();
    await record(...preferences);
    expect(await entries()).toHaveLength(left);
  });

  test('a time in the future counts as now', async () => {
    await record(said('stop', 999_999));
    await record(said('resume'));
    expect(await entries()).toEqual([]);
  });
});

test('resume takes back nothing that anybody else said', async () => {
  const entry = { phone_hash: `#${phone}`, phone, product: 'chatapp', team_id: 'acme', service_id: 'shop' };
  await inbound.database
    .knex('opt_outs')
    .insert(['Client', 'Operator', 'Keyword'].map((source) => ({ ...entry, target: 'ALL', source })));
  await record(said('resume'));
  expect(await entries()).toHaveLength(3);
});

test('of no number: kept as unreadable; to a number that is not ours: dropped; both are counted', async () => {
  await record(said('stop', 1, { from: 'x' }), said('stop', 1, { toId: 'of-nobody' }), said('stop'));
  expect([inbound.dropped, await entries()]).toEqual([
    ['chat Preference NoNumber', 'chat sender'],
    [expect.anything()],
  ]);
});
