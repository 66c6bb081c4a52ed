/** Which endpoints are listed as failing, and what a release does to their receipts. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../platform/db/knex.ts';
import { type Explained, rowsRead } from '../platform/db/plan-testing.ts';
import { openTestDatabase } from '../platform/db/testing.ts';
import { originKeyOf } from './callback/callback-url.ts';
import {
  findEndpoint,
  findText,
  hurryReceipts,
  listFailingEndpoints,
  releaseEndpoint,
} from './endpoint-repository.ts';
import { receiptRow } from './rows-testing.ts';

let database: Database;
const origins: Record<string, string> = {
  parked: randomUUID(),
  failing: randomUUID(),
  working: randomUUID(),
};
const originOf = (name: string) => `https://${name}.example`;

beforeAll(async () => {
  database = await openTestDatabase(process.env.DATABASE_URL);
  const { knex } = database;
  for (const [name, key] of Object.entries(origins))
    for (const team of ['acme', 'rival']) {
      await knex('receipt_origins').insert({
        team_id: team,
        origin_key: key,
        origin: originOf(name),
        failures_in_a_row: { parked: 31, failing: 3, working: 0 }[name],
        parked_until: name === 'parked' ? knex.raw(`service_now() + interval '50 seconds'`) : null,
      });
      for (const [state, minutes] of [
        ['Waiting', 60],
        ['Waiting', -1],
        ['Exhausted', 60],
      ] as const)
        await knex('receipts').insert(
          receiptRow(originOf(name), {
            ...{ team_id: team, origin_key: key, state },
            next_attempt_at: knex.raw(`service_now() + ? * interval '1 minute'`, [minutes]),
          }),
        );
    }
});
afterAll(() => database.close());

test('those that fail or lost receipts are listed by team, page by page, and say until when they are parked', async () => {
  const whole = await listFailingEndpoints(database.knex, undefined, { limit: 10 });
  const teams = [...Array(3).fill('acme'), ...Array(3).fill('rival')];
  expect(whole.endpoints.map(({ teamId }) => teamId)).toEqual(teams);
  const first = await listFailingEndpoints(database.knex, undefined, { limit: 4 });
  const rest = await listFailingEndpoints(database.knex, undefined, { after: first.next, limit: 4 });
  expect([[...first.endpoints, ...rest.endpoints], rest.next]).toEqual([whole.endpoints, undefined]);
  const { endpoints } = await listFailingEndpoints(database.knex, 'acme', { limit: 10 });
  expect(endpoints).toHaveLength(3);
  for (const endpoint of endpoints)
    expect(await findEndpoint(database.knex, 'acme', endpoint.key)).toEqual(endpoint);
  expect(await findEndpoint(database.knex, 'other', endpoints[0]?.key ?? '')).toBeUndefined();
  expect(endpoints).toContainEqual({
    key: expect.stringMatching(/^[0-9a-f]{16}$/),
    teamId: 'acme',
    origin: originOf('parked'),
    failures: 31,
    parkedUntil: expect.any(Date),
    waiting: 2,
    exhausted: 1,
  });
  expect(endpoints).toContainEqual(expect.objectContaining({ failures: 3, parkedUntil: null }));
  expect(endpoints).toContainEqual(expect.objectContaining({ failures: 0, exhausted: 1 }));
});

test('one that never failed is found by its receipts, of which two are read', async () => {
  const { knex } = database;
  const origin = 'https://svc-123456789012.example';
  const originKey = originKeyOf(origin);
  await knex.raw(
    `insert into receipts (id, request_id, message_id, team_id, client_id, url, origin_key, body, state)
     select gen_random_uuid(), gen_random_uuid(), n, 'steady', 'orders', :url, :originKey::uuid, '{}', 'Delivered'
     from generate_series(1, 5000) n`,
    { url: `${origin}/receipts?n=1`, originKey },
  );
  await knex.raw('analyze receipts');
  const key = originKey.replaceAll('-', '').slice(0, 16);
  expect(await findEndpoint(knex, 'steady', key)).toEqual({
    ...{ key, teamId: 'steady', origin },
    ...{ failures: 0, parkedUntil: null, waiting: 0, exhausted: 0 },
  });
  expect(await findEndpoint(knex, 'rival', key)).toBeUndefined();
  const { rows } = await knex.raw<{ rows: Explained[] }>(`explain (analyze, format json) ${findText}`, {
    ...{ teamId: 'steady', first: key.padEnd(32, '0'), last: key.padEnd(32, 'f') },
  });
  expect(rowsRead(rows, 'receipts')).toBe(2);
  await knex('receipts').where({ team_id: 'steady' }).delete();
});

test('a release forgets the failures of one team, and makes what waits there due', async () => {
  const { knex } = database;
  const release = () => knex.transaction((trx) => releaseEndpoint(trx, 'acme', originOf('parked')));
  expect(await release()).toMatchObject({ failures: 31 });
  expect(await hurryReceipts(knex, 'acme', originOf('parked'))).toBe(1);
  const { endpoints } = await listFailingEndpoints(knex, undefined, { limit: 10 });
  const failing = endpoints.filter(({ failures }) => failures > 0);
  expect(failing.map(({ teamId }) => teamId)).toEqual(['acme', 'rival', 'rival']);
  const later = await knex('receipts')
    .where({ state: 'Waiting' })
    .where('next_attempt_at', '>', knex.raw('service_now()'))
    .select('team_id', 'origin_key');
  expect(later.filter((one) => one.team_id === 'acme' && one.origin_key === origins.parked)).toEqual([]);
  expect(later).toHaveLength(5);
  expect(await release()).toBeUndefined();
});
