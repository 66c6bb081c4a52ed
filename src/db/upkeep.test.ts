/** Rounds of upkeep on a database of their own. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from './knex.ts';
import { openTestDatabase } from './testing.ts';
import { createUpkeep } from './upkeep.ts';

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase(undefined);
  await database.knex.raw('create table busy (n integer); create table quiet (n integer)');
});
afterAll(() => database.close());

const numberOf = async (expression: string): Promise<number> => {
  const { rows } = await database.knex.raw(`select (${expression})::float8 as number`);
  return rows[0].number;
};
const vacuums = (table: string) =>
  numberOf(`select vacuum_count from pg_stat_all_tables where relname = '${table}'`);
const fill = (table: string, rows: number) =>
  database.knex.raw(`insert into ${table} select * from generate_series(1, ${rows})`);

test('vacuums and analyses the tables that have changed much, and no others', async () => {
  const upkeep = createUpkeep(database.knex);
  await fill('quiet', 40);
  await fill('busy', 2_000);
  await upkeep();
  expect([await vacuums('busy'), await vacuums('quiet')]).toEqual([1, 0]);
  expect(await numberOf(`select reltuples from pg_class where relname = 'busy'`)).toBe(2_000);
  await createUpkeep(database.knex)();
  expect(await vacuums('busy')).toBe(1);
});

test('leaves a table alone for thirty times as long as its vacuum took', async () => {
  const upkeep = createUpkeep(database.knex);
  await fill('busy', 100_000);
  await upkeep();
  const before = await vacuums('busy');
  await fill('busy', 30_000);
  await upkeep();
  expect(await vacuums('busy')).toBe(before);
});

test('keeps the write-ahead log short', async () => {
  const logged = () => numberOf('select pg_current_wal_lsn() - redo_lsn from pg_control_checkpoint()');
  await database.knex.raw(
    `select pg_logical_emit_message(true, 'test', repeat('x', 1000000)) from generate_series(1, 140)`,
  );
  expect(await logged()).toBeGreaterThan(140_000_000);
  await createUpkeep(database.knex)();
  expect(await logged()).toBeLessThan(10_000_000);
});
