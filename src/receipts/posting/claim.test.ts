/** The cost of a claim: it reads the receipts that it claims, however many wait. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../db/knex.ts';
import { openTestDatabase } from '../../db/testing.ts';
import { claimText } from './claim.ts';

const waiting = 20_000;
const origin = '00000000-0000-4000-8000-000000000001';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase(process.env.DATABASE_URL);
  const { knex } = database;
  await knex.raw(`insert into teams (id, name) values ('demo', 'Demo')`);
  await knex.raw(`insert into clients (id, team_id, name, secret_hashes, signing_secrets, scopes, allowed_addresses)
    values ('demo', 'demo', 'Demo', '[]', '[]', '[]', '[]')`);
  await knex.raw(`insert into requests (id, team_id, client_id, operation, resource_id)
    values ('${origin}', 'demo', 'demo', 'sendSms', 'demo-sms')`);
  await knex.raw(
    `insert into messages (request_id, team_id, product, position, channel, phone, content, units, state)
     select '${origin}', 'demo', 'sms', n, 'Safaricom', '+254711000000', 'x', 1, 'Delivered' from generate_series(1, ?) n`,
    [waiting / 2],
  );
  // Two of each message: the second waits for the first.
  await knex.raw(`insert into receipts (id, request_id, message_id, client_id, team_id, url, origin_key, body, sequence)
    select gen_random_uuid(), request_id, id, 'demo', 'demo', 'http://127.0.0.1:1/', '${origin}', '{}', place
    from messages, generate_series(1, 2) place`);
});
afterAll(() => database.close());

interface PlanNode {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** Rows of `receipts` that the plan read, those that it passed over included. */
function receiptsRead(node: PlanNode): number {
  const own =
    node['Relation Name'] === 'receipts'
      ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
      : 0;
  return (node.Plans ?? []).reduce((sum, child) => sum + receiptsRead(child), own);
}

test.each([
  false,
  true,
])('a claim of two among 20,000 reads fewer than 100 (statistics: %s)', async (analyzed) => {
  if (analyzed) await database.knex.raw('analyze');
  const { rows } = await database.knex.raw<{ rows: { 'QUERY PLAN': [{ Plan: PlanNode }] }[] }>(
    `explain (analyze, format json) ${claimText}`,
    {
      limit: 1024,
      newcomerLimit: 512,
      placesOfNewcomer: 2,
      teams: '[]',
      origins: '[]',
      cursors: '[]',
      afterTeam: '',
      owner: '00000000-0000-4000-8000-000000000002',
    },
  );
  expect(receiptsRead((rows[0] as (typeof rows)[0])['QUERY PLAN'][0].Plan)).toBeLessThan(100);
});
