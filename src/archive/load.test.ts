/** The archive rests longer while others use the database. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../platform/db/knex.ts';
import { openTestDatabase } from '../platform/db/testing.ts';
import { statementsUnderWay } from './load-repository.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase(process.env.DATABASE_URL);
});
afterAll(() => database.close());

const onPostgres = process.env.DATABASE_URL === undefined ? test.skip : test;
if (process.env.DATABASE_URL === undefined)
  process.stdout.write('skipped without DATABASE_URL: the embedded database has one session\n');

onPostgres(
  'counts statements of other sessions that run, and no transaction that waits for its client',
  async () => {
    const { knex } = database;
    const [holding, waiting] = [await knex.transaction(), await knex.transaction()];
    const lock = 'select pg_advisory_xact_lock(1)';
    await holding.raw(lock);
    expect(await statementsUnderWay(knex)).toBe(0);
    const locked = waiting.raw(lock);
    locked.catch(() => {});
    while ((await statementsUnderWay(knex)) !== 1);
    await holding.rollback();
    await locked;
    await waiting.rollback();
    expect(await statementsUnderWay(knex)).toBe(0);
  },
);
