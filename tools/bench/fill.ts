/** Fills PostgreSQL with made-up history in SQL, fast enough for ten million messages. */
import type { Knex } from 'knex';
import { originKeyOf } from '../../src/receipts/callback/callback-url.ts';
import { catchUp } from './history.ts';

/** What most rows have in common, so that a search for it finds very many. */
export const often = {
  phone: '+254711000000',
  correlator: 'often',
  serviceId: 'service-1',
  clientId: 'client-1',
  actor: 'actor-1',
};
/** What very many rows of the other teams have, and none of the team. */
export const others = { phone: '+254711000001', correlator: 'others' };
/** What few rows have. */
export const rare = { phone: '+254722000007', correlator: 'rare-7' };

const tables = ['requests', 'messages', 'receipts', 'ledger_entries', 'audit_log', 'message_counts'];
const days = 90;
/** Rows of one statement. */
const chunk = 250_000;

/**
 * Stores about `wanted` messages of ninety days in requests of one to three: half of them belong to `team`, the
 * rest to other teams. Indexes are built at the end and the tables are unlogged: this history need not survive a crash.
 */
export async function fillHistory(knex: Knex, team: string, wanted: number): Promise<void> {
  const requests = Math.ceil(wanted / 2);
  await knex.raw(`insert into teams (id, name) select 'team-' || n, 'n' from generate_series(1, 9) n`);
  await knex.raw(
    `insert into clients (id, team_id, name, secret_hashes, signing_secrets, scopes)
     select 'client-' || n, ?, 'n', '[]', '[]', '[]' from generate_series(0, 6) n`,
    [team],
  );
  const indexes = await dropIndexes(knex);
  const fill = async (rows: number, statement: string) => {
    for (let from = 1; from <= rows; from += chunk)
      await knex.raw(statement, { from, to: Math.min(rows, from + chunk - 1), total: rows, team });
  };
  await fill(
    requests,
    `insert into requests (id, team_id, client_id, operation, resource_id, sender, correlator, created_at)
     select md5(n::text)::uuid, ${teamOf('n')}, 'client-' || n % 7, 'sendSms', 'service-' || n % 5, 'ACME',
       case when n % 3 = 0 then 'often' when n % 3 = 1 then 'rare-' || n when n % 2 = 1 then '${others.correlator}' end, ${timeOf('n')}
     from generate_series(:from::integer, :to::integer) n`,
  );
  await fill(
    requests,
    `insert into messages (request_id, team_id, position, product, channel, phone, content, units, state, segments,
       connector, network_id, reached_at, submitted_at, final_at)
     select md5(n::text)::uuid, ${teamOf('n')}, place, 'sms', 'Safaricom',
       case when n % 10 = 0 then '${often.phone}' when n % 10 = 1 then '${others.phone}' else '+2547220' || lpad((n % 1000000)::text, 5, '0') end, 'Habari', 1,
       case when n % 997 = 0 then 'Failed' when n > :total::integer - 20 then 'Queued' else 'Delivered' end, 1,
       'simulator', md5(n || '-' || place), ${timeOf('n')}, ${timeOf('n')}, ${timeOf('n')}
     from generate_series(:from::integer, :to::integer) n, generate_series(0, n % 3) as place`,
  );
  await fill(
    requests,
    `insert into receipts (id, request_id, message_id, team_id, client_id, url, origin_key, body, state, attempts,
       attempt_log, created_at)
     select gen_random_uuid(), request_id, id, team_id, 'client-1', 'https://shop.example/receipts',
       '${originKeyOf('https://shop.example')}'::uuid, '{"timestamp":"2026-11-21T09:30:02.000Z","deliveryStatus":"Delivered"}',
       case when id % 499 = 0 then 'Exhausted' else 'Delivered' end, 1,
       '[{"at":"2026-11-21T09:30:02.010Z","latencyMs":12,"status":204}]', submitted_at
     from messages where id between :from::bigint and :to::bigint`,
  );
  await fill(
    requests,
    `insert into ledger_entries (account_id, units, reason, request_id, created_at)
     select (select min(id) from accounts where team_id = :team and product = 'sms'), -1, 'Debit', md5(n::text)::uuid,
       ${timeOf('n')}
     from generate_series(:from::integer, :to::integer) n where :team::text is not null`,
  );
  await fill(
    Math.ceil(requests / 50),
    `insert into audit_log (at, actor_kind, actor_name, action, noun, noun_id, team_id, after)
     select ${timeOf('n')}, 'user', 'actor-' || n % 3, 'change', 'sms service', 'service-' || n % 1000, ${teamOf('n')},
       '{"status":"Active"}'
     from generate_series(:from::integer, :to::integer) n`,
  );
  // In the order in which a service counts: by time.
  await knex.raw(
    `insert into message_counts (team_id, hours, hour, product, channel, resource_id, template_id, outcome, latency, messages,
       latency_ms, connector, sender)
     select t.id, hours, date_trunc(unit, service_now(), 'UTC') - n * hours * interval '1 hour', 'sms', 'Safaricom',
       'service-' || s, '',
       case latency when -1 then 'failed' else 'delivered' end, latency, 10 * hours, 10000 * hours, 'smsc', 'SENDER' || s
     from teams t, (values (1, 'hour'), (24, 'day')) span(hours, unit), generate_series(0, ${days * 24} / hours) n,
       generate_series(1, 5) s, unnest('{4,5,6,7,8,9,10,-1}'::integer[]) latency
     order by 3, 2, 1`,
  );
  for (const { definition } of indexes) await knex.raw(definition);
  for (const table of tables) await knex.raw(`vacuum analyze ${table}`);
  await catchUp(knex);
}

const teamOf = (n: string) => `case when ${n} % 2 = 0 then :team::text else 'team-' || 1 + ${n} / 2 % 9 end`;
const timeOf = (n: string) =>
  `service_now() - interval '${days} days' * (1 - ${n}::float8 / :total::integer)`;

/** Those that no constraint needs; returns how to make them again. */
async function dropIndexes(knex: Knex): Promise<{ name: string; definition: string }[]> {
  for (const table of tables) await knex.raw(`alter table ${table} set unlogged`);
  const { rows } = await knex.raw<{ rows: { name: string; definition: string }[] }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid::regclass::text = any(?)
       and not exists (select from pg_constraint where conindid = indexrelid)`,
    [tables],
  );
  for (const { name } of rows) await knex.raw(`drop index ${name}`);
  return rows;
}
