/** Tests that connections sharing the embedded database's one session never see into each other's transactions. */
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { openedForAll } from '../opened-testing.ts';
import { runStatement } from '../statement.ts';
import { openTestDatabase } from '../testing.ts';

const database = openedForAll(
  () => openTestDatabase(undefined),
  ({ close }) => close(),
);
beforeAll(() => database.knex.schema.createTable('notes', (table) => table.text('text')));
beforeEach(() => database.knex('notes').delete());

const texts = async () => (await database.knex('notes').orderBy('text')).map(({ text }) => text);

test('a statement beside an open transaction waits for its end, and is not part of it', async () => {
  const beside: Promise<unknown>[] = [];
  await expect(
    database.knex.transaction(async (trx) => {
      await trx('notes').insert({ text: 'inside' });
      beside.push(Promise.resolve(database.knex('notes').insert({ text: 'beside' })));
      await trx('notes').insert({ text: 'inside too' });
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  await Promise.all(beside);
  expect(await texts()).toEqual(['beside']);
});

test('a connection that ends in the middle of a transaction leaves nothing behind', async () => {
  const { client } = database.knex;
  const connection = await client.acquireConnection();
  await connection.query('begin');
  await connection.query("insert into notes values ('lost')");
  const later = database.knex('notes').insert({ text: 'kept' });
  connection.connection.stream.destroy();
  await later;
  await client.releaseConnection(connection);
  expect(await texts()).toEqual(['kept']);
});

test('a statement whose plan is kept is planned again after 100 uses, and no more', async () => {
  const rows = await database.knex.transaction(async (trx) => {
    for (let use = 0; use < 250; use += 1)
      await runStatement(trx, { name: 'often', text: 'select $1::int', values: [use] });
    const { rows: kept } = await trx.raw<{ rows: unknown[] }>(
      `select generic_plans > 0 as kept from pg_prepared_statements where name like 'often %'`,
    );
    return kept;
  });
  expect(rows).toEqual([{ kept: true }, { kept: true }]);
});

test('a prepared statement serves every connection', async () => {
  const rows = await Promise.all(
    [1, 2, 3, 4, 5, 6].map((value) =>
      runStatement<{ value: number }>(database.knex, {
        name: 'echo',
        text: 'select $1::int as value',
        values: [value],
      }),
    ),
  );
  expect(rows.flat().map(({ value }) => value)).toEqual([1, 2, 3, 4, 5, 6]);
});
