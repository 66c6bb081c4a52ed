/** Rounds of upkeep on a database of their own. */
import { beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '../../clock.ts';
import { openedForAll } from '../opened-testing.ts';
import { openTestDatabase } from '../testing.ts';
import { createUpkeep } from './upkeep.ts';

const database = openedForAll(
  () => openTestDatabase(undefined),
  ({ close }) => close(),
);
beforeAll(() => database.knex.raw('create table busy (n integer); create table quiet (n integer)'));

const numberOf = async (expression: string): Promise<number> => {
  const { rows } = await database.knex.raw(`select (${expression})::float8 as number`);
  return rows[0].number;
};
const vacuums = (table: string) =>
  numberOf(`select vacuum_count from pg_stat_all_tables where relname = '${table}'`);
const fill = (table: string, rows: number) =>
  database.knex.raw(`insert into ${table} select * from generate_series(1, ${rows})`);

test('vacuums and analyses the tables that have changed much, and no others', async () => {
  const upkeep = createUpkeep(database.knex, systemClock);
  await fill('quiet', 40);
  await fill('busy', 2_000);
  await upkeep();
  expect([await vacuums('busy'), await vacuums('quiet')]).toEqual([1, 0]);
  expect(await numberOf(`select reltuples from pg_class where relname = 'busy'`)).toBe(2_000);
  await createUpkeep(database.knex, systemClock)();
  expect(await vacuums('busy')).toBe(1);
});

test('a table that was just maintained is not due again', async () => {
  const { knex } = database;
  await knex.raw('create table notes (body text)');
  await knex.raw(
    `insert into notes select (select string_agg(md5((m + n)::text), '') from generate_series(1, 200) as m)
     from generate_series(1, 2000) as n`,
  );
  const upkeep = createUpkeep(knex, systemClock);
  const statements: string[] = [];
  knex.on('query', ({ sql }: { sql: string }) => statements.push(sql));
  for (let round = 0; round < 3; round += 1) await upkeep();
  statements.length = 0;
  await upkeep();
  expect(statements.filter((sql) => /^(vacuum|analyze)/.test(sql))).toEqual([]);
});

test('stops when it has used its share of the time, and continues later', async () => {
  let nowMs = 0;
  // Every chore takes 400 ms of this clock.
  const clock = { elapsedMs: () => (nowMs += 400) };
  const names = ['slow_1', 'slow_2', 'slow_3', 'slow_4', 'slow_5'];
  const done = () => numberOf(`select sum(vacuum_count) from pg_stat_all_tables where relname ~ '^slow_'`);
  for (const name of names) await database.knex.raw(`create table ${name} (n integer)`);
  await createUpkeep(database.knex, systemClock)();
  for (const name of names) await fill(name, 2_000);
  const upkeep = createUpkeep(database.knex, clock);
  await upkeep();
  // Three fit into the second that it may have saved up; the catalog has chores too.
  const first = await done();
  expect(first).toBeLessThanOrEqual(3);
  await upkeep();
  expect(await done()).toBe(first);
  for (let round = 0; round < 5; round += 1) {
    nowMs += 60_000;
    await upkeep();
  }
  expect(await done()).toBe(5);
});

test('keeps the write-ahead log short', async () => {
  const logged = () => numberOf('select pg_current_wal_lsn() - redo_lsn from pg_control_checkpoint()');
  await database.knex.raw(
    `select pg_logical_emit_message(true, 'test', repeat('x', 1000000)) from generate_series(1, 140)`,
  );
  expect(await logged()).toBeGreaterThan(140_000_000);
  await createUpkeep(database.knex, systemClock)();
  expect(await logged()).toBeLessThan(10_000_000);
});
