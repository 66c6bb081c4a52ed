/** The states of connectors in all processes are combined, also in the metrics. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import type { Database } from '../../platform/db/knex.ts';
import { clearTables, openTestDatabase } from '../../platform/db/testing.ts';
import type { ConnectorStatus } from '../contract/connector.ts';
import { watchConnectors } from './metrics.ts';
import { createStateRepository, type SeenConnector, seenConnectors } from './state-repository.ts';

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase(process.env.DATABASE_URL);
});
afterAll(() => database.close());
beforeEach(async () => {
  await clearTables(database.knex, 'connectors, connector_leases, connector_states');
  await database.knex('connectors').insert({ name: 'smsc', kind: 'smpp' });
});

const say = (process: string, status: Partial<ConnectorStatus>) =>
  createStateRepository(database.knex, process).save([
    {
      ...{
        name: 'smsc',
        condition: 'open',
        reason: null,
        state: undefined,
        throttled: false,
        lastError: null,
      },
      ...status,
    },
  ]);

const state = (bound: number) => ({ binds: 2, bound, window: 50, inFlight: 7, ratePerSecond: 100 });

async function seen(): Promise<Partial<SeenConnector>> {
  const [one = {}] = await seenConnectors(database.knex);
  return one;
}

describe('a connector', () => {
  test('that no process has open is down, like one whose process went silent or ended', async () => {
    expect(await seen()).toMatchObject({ condition: 'away', reason: null, bound: null });
    await say('a', {});
    await database.knex.raw(`update connector_states set seen_at = now() - interval '31 seconds'`);
    expect(await seen()).toMatchObject({ condition: 'away' });
    await say('b', {});
    expect(await seen()).toMatchObject({ condition: 'open' });
    expect(await database.knex('connector_states')).toHaveLength(1);
    await createStateRepository(database.knex, 'b').forget();
    expect(await seen()).toMatchObject({ condition: 'away' });
  });

  test('is open if any process can hand over; connections are counted together', async () => {
    await say('a', { condition: 'unbound', state: state(0) });
    expect(await seen()).toMatchObject({ condition: 'unbound', binds: 2, bound: 0 });
    await say('b', { state: state(2) });
    expect(await seen()).toMatchObject({
      condition: 'open',
      binds: 4,
      bound: 2,
      window: 100,
      inFlight: 14,
      ratePerSecond: 200,
    });
  });

  test('that cannot be opened says why', async () => {
    await say('a', { condition: 'faulty', reason: 'setting "host" is required' });
    expect(await seen()).toMatchObject({ condition: 'faulty', reason: 'setting "host" is required' });
  });

  test('is throttled if any process is, and has the newest error of all', async () => {
    const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 9, 30, second));
    await say('a', { lastError: { at: at(2), reason: 'connection reset' } });
    expect(await seen()).toMatchObject({
      throttled: false,
      lastError: 'connection reset',
      lastErrorAt: at(2),
    });
    await say('b', { throttled: true, lastError: { at: at(1), reason: 'no connection' } });
    await say('c', {});
    expect(await seen()).toMatchObject({
      throttled: true,
      lastError: 'connection reset',
      lastErrorAt: at(2),
    });
  });

  test('is paused at once, and no longer than asked', async () => {
    await say('a', { state: state(2) });
    const pause = { paused: true, paused_reason: 'float is empty' };
    await database.knex('connectors').update(pause);
    expect(await seen()).toMatchObject({ condition: 'paused', reason: 'float is empty' });
    await database.knex('connectors').update({ paused_until: database.knex.raw('now()') });
    expect(await seen()).toMatchObject({ condition: 'open' });
  });

  test('has its condition since it began, whichever processes come and go', async () => {
    const since = async () => (await seen()).since?.getTime();
    const backdate = () => database.knex('connectors').update({ condition_since: '2026-11-21T08:03:00Z' });
    const began = Date.UTC(2026, 10, 21, 8, 3);
    expect(await since()).toBeUndefined();
    await say('a', { condition: 'unbound' });
    await backdate();
    await say('b', { condition: 'unbound' });
    await createStateRepository(database.knex, 'a').forget();
    expect(await since()).toBe(began);
    await say('b', {});
    expect(await since()).toBeGreaterThan(began);
    await backdate();
    await say('c', { condition: 'unbound' });
    expect(await since()).toBe(began);
    await database.knex('connectors').update({ paused: true, paused_at: '2026-11-21T08:04:00Z' });
    expect(await since()).toBe(Date.UTC(2026, 10, 21, 8, 4));
  });

  test('that lost all its processes is away since the last of them was there', async () => {
    await say('a', {});
    await database.knex('connector_states').update({ seen_at: '2026-11-21T08:03:00Z' });
    expect(await seen()).toMatchObject({ condition: 'away', since: new Date('2026-11-21T08:03:00Z') });
    await say('b', {});
    await createStateRepository(database.knex, 'b').forget();
    expect(await seen()).toMatchObject({ condition: 'away', since: expect.any(Date) });
  });

  test('that a process has closed is forgotten', async () => {
    await say('a', {});
    await createStateRepository(database.knex, 'a').save([]);
    expect(await seen()).toMatchObject({ condition: 'away' });
  });
});

test('metrics show conditions and counts, and only the kind of a reason', async () => {
  const registry = new Registry();
  watchConnectors(registry, database.knex);
  await say('a', { state: state(1) });
  const lines = async () => (await registry.metrics()).split('\n').filter((line) => /^tarishi/.test(line));
  expect(await lines()).toEqual([
    'tarishi_connector_condition{connector="smsc",kind="smpp",condition="open",reason=""} 1',
    'tarishi_connector_binds{connector="smsc"} 2',
    'tarishi_connector_bound{connector="smsc"} 1',
    'tarishi_connector_window{connector="smsc"} 50',
    'tarishi_connector_in_flight{connector="smsc"} 7',
    'tarishi_connector_rate_per_second{connector="smsc"} 100',
  ]);
  await database.knex('connectors').update({ paused: true, paused_reason: 'Refused +254711000001 "twice"' });
  expect((await lines())[0]).toBe(
    'tarishi_connector_condition{connector="smsc",kind="smpp",condition="paused",reason="refused_twice_"} 1',
  );
});
