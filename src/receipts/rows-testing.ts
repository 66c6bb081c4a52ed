/** Stored receipts, for tests of what becomes of them. */
import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { originKeyOf } from './callback/callback-url.ts';

/** A receipt to this origin, with what else it has. */
export const receiptRow = (origin: string, columns: object = {}) => ({
  ...{ id: randomUUID(), request_id: randomUUID(), message_id: 1, team_id: 'team', client_id: 'client' },
  ...{ url: `${origin}/receipts`, origin_key: originKeyOf(origin), body: '{}' },
  ...columns,
});

/** Receipts that are due, the same number for each origin; returns their ids, the longest due first. */
export async function insertDue(
  knex: Knex,
  origins: readonly string[],
  { count = 1, dueSeconds = 10, teamId = 'team' } = {},
): Promise<string[]> {
  const { rows } = await knex.raw<{ rows: { id: string }[] }>(
    `with added as (
       insert into receipts (id, request_id, message_id, team_id, client_id, url, origin_key, body, next_attempt_at)
       select gen_random_uuid(), gen_random_uuid(), n, :teamId, 'client of ' || :teamId, o.origin || '/', o.key, '{}',
         service_now() - :dueSeconds * interval '1 second' + n * interval '1 microsecond'
       from json_to_recordset(:origins::json) as o(origin text, key uuid), generate_series(1, :count::integer) as n
       returning id, next_attempt_at
     ) select id from added order by next_attempt_at`,
    {
      ...{ teamId, count, dueSeconds },
      origins: JSON.stringify(origins.map((origin) => ({ origin, key: originKeyOf(origin) }))),
    },
  );
  return rows.map(({ id }) => id);
}
