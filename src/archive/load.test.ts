/** The archive rests longer while others use the database. */
import { expect, test } from '@jest/globals';
import { testDatabase } from '../platform/db/opened-testing.ts';
import { statementsUnderWay } from './load-repository.ts';

const database = testDatabase();

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
