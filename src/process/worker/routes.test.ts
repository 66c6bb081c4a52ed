/** A channel that no connector serves is named in the log once, until it has one again. */
import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { Connector } from '../../connectors/contract/connector.ts';
import { testDatabase } from '../../platform/db/opened-testing.ts';
import type { ProcessContext } from '../context.ts';
import { createRoutes } from './routes.ts';

const database = testDatabase();

test('a bundle that no connector takes is said to wait, once', async () => {
  const lines: { product: string; channel: string; msg: string }[] = [];
  const logger = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
  let nowMs = 0;
  const context = {
    database,
    logger,
    clock: { now: () => nowMs, elapsedMs: () => nowMs },
  } as unknown as ProcessContext;
  const connector = { ask: async () => [] } as unknown as Connector;
  const find = (name: string) => (name === 'provider' ? connector : undefined);
  const { waysOf } = createRoutes(context, { find, whyNot: () => ({ reason: 'it is paused', soon: false }) });
  const route = async () => {
    nowMs += 3_600_000;
    const ways = await waysOf({ product: 'data', channel: 'Safaricom' });
    return ways === 'unmatched' ? ways : ways.steps[0]?.[0]?.name;
  };
  expect([await route(), await route()]).toEqual([undefined, undefined]);
  const said = {
    product: 'data',
    channel: 'Safaricom',
    msg: 'messages wait until they expire: the channel has no connector for them',
  };
  expect(lines).toMatchObject([said]);

  const { knex } = database;
  await knex('connectors').insert({ name: 'provider', kind: 'bundles' });
  await knex('channels').insert({
    name: 'Safaricom',
    prefixes: '["25471"]',
    connector: 'simulator',
    bundle_connector: 'provider',
    position: 0,
  });
  expect(await route()).toBe('provider');
  await knex('channels').update({ bundle_connector: null });
  expect([await route(), await route()]).toEqual([undefined, undefined]);
  expect(lines).toMatchObject([said, said]);
});
