/** A table that somebody adds is moved with a team, or stays for a reason. */
import { expect, test } from '@jest/globals';
import { openTestDatabase } from '../../platform/db/testing.ts';
import { history, ofCell, otherwise, setupTables, useTables } from './team-tables.ts';

test('of every table it is known whether it moves with a team', async () => {
  const { knex, close } = await openTestDatabase(process.env.DATABASE_URL);
  const { rows } = await knex.raw<{ rows: { name: string }[] }>(
    `select table_name as name from information_schema.tables
     where table_schema = current_schema() and table_type = 'BASE TABLE' and table_name not like 'knex%'`,
  );
  await close();
  const moved = new Set([...setupTables, ...useTables].map(({ name }) => name));
  expect([...moved, ...otherwise, ...history, ...ofCell].sort()).toEqual(rows.map(({ name }) => name).sort());
});
