/** That a process's connectors follow the stored ones without a restart. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { systemClock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/knex.ts';
import { openTestDatabase } from '../../platform/db/testing.ts';
import { type ConnectorRegistry, createConnectorRegistry } from './registry.ts';
import { createConnectorRepository } from './repository.ts';

let database: Database;
let registry: ConnectorRegistry;
const lines: string[] = [];

beforeAll(async () => {
  database = await openTestDatabase(process.env.DATABASE_URL);
});
afterAll(() => database.close());

beforeEach(async () => {
  lines.length = 0;
  await database.knex('connectors').delete();
  await database.knex('connectors').insert({ name: 'one', kind: 'simulator' });
  registry = createConnectorRegistry({
    repository: createConnectorRepository(database.knex),
    openSecrets: (sealed) => JSON.parse(sealed),
    report: async () => {},
    partsOf: () => ({ keep: async () => {}, of: async () => [] }),
    openSimulator: () => () => ({ send: async () => [] }),
    leases: undefined,
    templates: async () => {},
    onIgnored: () => {},
    receive: async () => {},
    clock: systemClock,
    logger: pino({}, { write: (line: string) => lines.push(line) }),
  });
  await registry.refresh();
});

const change = async (values: object) => {
  await database.knex('connectors').where({ name: 'one' }).update(values);
  await registry.refresh();
};

test('a connector is opened once, and reopened when its version increases', async () => {
  const first = registry.find('one');
  await registry.refresh();
  expect(first).toBeDefined();
  expect(registry.find('one')).toBe(first);
  await change({ version: 2 });
  expect(registry.find('one')).toBeDefined();
  expect(registry.find('one')).not.toBe(first);
});

test('a new connector is opened, a deleted one is closed', async () => {
  await database.knex('connectors').insert({ name: 'two', kind: 'simulator' });
  await database.knex('connectors').where({ name: 'one' }).delete();
  await registry.refresh();
  expect([registry.find('one'), typeof registry.find('two')]).toEqual([undefined, 'object']);
});

test('a paused connector takes nothing until it is resumed or its time is over', async () => {
  const connector = registry.find('one');
  await change({ paused: true, paused_reason: 'float is empty' });
  expect(registry.find('one')).toBeUndefined();
  expect(registry.statuses()).toMatchObject([{ condition: 'paused', reason: 'float is empty' }]);
  expect(registry.whyNot('one')).toEqual({ reason: 'it is paused: float is empty', soon: false });
  await change({ paused: false });
  expect(registry.find('one')).toBe(connector);
  await change({ paused: true, paused_until: database.knex.raw(`now() - interval '1 second'`) });
  expect(registry.find('one')).toBe(connector);
});

test.each([
  [{ kind: 'pigeon' }, 'there is no kind \\"pigeon\\"'],
  [{ settings: '{"wings":2}' }, 'unknown setting \\"wings\\"'],
  [{ secrets: 'not JSON' }, 'JSON'],
])('a connector that cannot be opened takes nothing and says why: %j', async (values, reason) => {
  await change({ ...values, version: 2 });
  expect(registry.find('one')).toBeUndefined();
  expect(lines.join('')).toContain(reason);
  expect(registry.statuses()).toMatchObject([{ name: 'one', condition: 'faulty' }]);
  await change({ kind: 'simulator', settings: '{}', secrets: null, version: 3 });
  expect(registry.find('one')).toBeDefined();
});
