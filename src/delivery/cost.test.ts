/** What loading the messages of jobs reads: those of their requests, however many others wait. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../platform/db/knex.ts';
import { type Explained, rowsRead } from '../platform/db/plan-testing.ts';
import { runStatement } from '../platform/db/statement.ts';
import { openTestDatabase } from '../platform/db/testing.ts';
import { queuedText } from './repository.ts';

const waiting = 5_000;
const loaded = 50;

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase(process.env.DATABASE_URL);
  await insert(20_000, 'Delivered');
  // With these statistics hardly anything is queued.
  await database.knex.raw('analyze requests, messages');
});
afterAll(() => database.close());

async function insert(count: number, state: string): Promise<string[]> {
  const requestIds = Array.from({ length: count }, () => randomUUID());
  await runStatement(database.knex, {
    text: `insert into requests (id, team_id, client_id, operation, resource_id)
      select id, 'demo', 'demo', 'sendSms', 'demo' from unnest($1::uuid[]) as id`,
    values: [requestIds],
  });
  await runStatement(database.knex, {
    text: `insert into messages (request_id, team_id, position, product, channel, phone, content, units, state)
      select id, 'demo', 0, 'sms', 'Safaricom', '+254711000000', '', 1, $2 from unnest($1::uuid[]) as id`,
    values: [requestIds, state],
  });
  return requestIds;
}

test('a sudden load, of which the statistics of the tables know nothing', async () => {
  const requestIds = await insert(waiting, 'Queued');
  const explained = await runStatement<Explained>(database.knex, {
    text: `explain (analyze, format json) ${queuedText}`,
    values: [requestIds.slice(0, loaded), 3_600],
  });
  expect(rowsRead(explained, 'messages')).toBe(loaded);
});
