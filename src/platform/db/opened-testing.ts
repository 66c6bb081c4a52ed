/** What the tests of a file share: opened before the first of them, and closed after the last. */
import { afterAll, beforeAll } from '@jest/globals';
import type { Knex } from 'knex';
import type { Database } from './knex.ts';
import { openTestDatabase } from './testing.ts';

/** Has nothing until the tests begin. */
export function openedForAll<Opened extends object>(
  open: () => Promise<Opened>,
  close: (opened: Opened) => Promise<void>,
): Opened {
  const opened = {} as Opened;
  beforeAll(async () => {
    Object.assign(opened, await open());
  });
  afterAll(() => close(opened));
  return opened;
}

/** `fill` stores what all tests need. */
export const testDatabase = (fill?: (knex: Knex) => PromiseLike<unknown>): Database =>
  openedForAll(
    async () => {
      const database = await openTestDatabase(process.env.DATABASE_URL);
      await fill?.(database.knex);
      return database;
    },
    (database) => database.close(),
  );
