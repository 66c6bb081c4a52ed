/** Whatever waits for a stored instant when the database's clock is set back by an hour. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { testDatabase } from '../platform/db/opened-testing.ts';
import { clearTables, setClock } from '../platform/db/testing.ts';
import { receiptRow } from '../receipts/rows-testing.ts';
import { acceptClock, moveWaiting, readClock, type Waiting, waiting } from './clock-set-back.ts';
import { leaseSeconds } from './job.ts';

const database = testDatabase();
beforeAll(async () => {
  await setClock(database.knex, 60);
  await database.knex.raw(`insert into teams (id, name) values ('team', 'Team')`);
});
afterEach(async () => {
  await clearTables(database.knex, [...new Set(waiting.map(({ table }) => table))].join(', '));
  await setClock(database.knex, 60);
});

const minutesUntil = async ({ table, due }: Pick<Waiting, 'table' | 'due'>): Promise<number[]> => {
  const { rows } = await database.knex.raw<{ rows: { minutes: number }[] }>(
    `select round(extract(epoch from ${due} - service_now()) / 60)::integer as minutes from ${table} order by ${due}`,
  );
  return rows.map(({ minutes }) => minutes);
};

/** Adds a row that waits for so many minutes, in columns and values other than those of its times. */
const rows: Record<string, () => Record<string, unknown>> = {
  jobs: () => ({ queue: 'poll', data: '{}' }),
  network_reports: () => ({ product: 'sms', connector: 'c', network_id: randomUUID(), state: 'Delivered' }),
  receipts: () => receiptRow('https://shop.example'),
  connectors: () => ({ name: randomUUID().slice(0, 8), kind: 'simulator', paused: true }),
  connector_leases: () => ({
    connector: 'leased',
    part: Math.floor(Math.random() * 1e9),
    holder: 'host:1',
    rate: 1,
  }),
  erasures_due: () => ({ message_id: Math.floor(Math.random() * 1e9), duty: 'texts' }),
  simulated_reports: () => ({ connector: 'c', message_id: 1, report: '{}' }),
};

async function insert(
  { table, due, writtenColumn = '' }: Waiting,
  minutes: number,
  writtenMinutesAgo = 0,
): Promise<void> {
  const { knex } = database;
  if (table === 'connector_leases')
    await knex('connectors').insert({ name: 'leased', kind: 'smpp' }).onConflict().ignore();
  await knex(table).insert({
    ...rows[table]?.(),
    [due]: knex.raw(`service_now() + ? * interval '1 minute'`, [minutes]),
    [writtenColumn]: knex.raw(`service_now() - ? * interval '1 minute'`, [writtenMinutesAgo]),
  });
}

describe.each(waiting.filter(({ writtenColumn }) => writtenColumn))('a row of $table', (each) => {
  test('waits as long as was planned, and no longer', async () => {
    for (const minutes of [-10, 0, 1, 50, 24 * 60]) await insert(each, minutes);
    await setClock(database.knex, 0);
    expect(await minutesUntil(each)).toEqual([50, 60, 61, 110, 25 * 60]);
    await moveWaiting(database.knex);
    expect(await minutesUntil(each)).toEqual([-10, 0, 1, 50, 24 * 60]);
    expect(await moveWaiting(database.knex)).toBe(0);
  });

  test('that was written before and waits for hours keeps its time', async () => {
    await insert(each, 20 * 60, 4 * 60);
    await setClock(database.knex, 0);
    expect(await moveWaiting(database.knex)).toBe(0);
  });
});

test('a lease ends a minute after the clock was set back, not at once and not in an hour', async () => {
  const { knex } = database;
  await knex('jobs').insert({
    queue: 'deliver',
    data: '{}',
    claimed: true,
    due_at: knex.raw(`service_now() + interval '${leaseSeconds} s'`),
    written_at: knex.raw(`service_now() - interval '2 hours'`),
  });
  await setClock(database.knex, 0);
  await moveWaiting(knex);
  expect(await minutesUntil({ table: 'jobs', due: 'due_at' })).toEqual([1]);
});

test('an origin is parked for a minute at most', async () => {
  const { knex } = database;
  await knex('receipt_origins').insert({
    team_id: 'team',
    origin_key: randomUUID(),
    origin: 'https://shop.example',
    failures_in_a_row: 20,
    parked_until: knex.raw(`service_now() + interval '1 minute'`),
  });
  await setClock(database.knex, 0);
  await moveWaiting(knex);
  expect(await minutesUntil({ table: 'receipt_origins', due: 'parked_until' })).toEqual([1]);
});

test('retention passes over nothing that is stored from now on', async () => {
  const { knex } = database;
  await knex('retention_progress').insert({ team_id: 'team', duty: 'texts', at: knex.raw('service_now()') });
  await setClock(database.knex, 0);
  await moveWaiting(knex);
  expect(await minutesUntil({ table: 'retention_progress', due: 'at' })).toEqual([-24 * 60]);
});

test('more rows than are moved together', async () => {
  await database.knex.raw(
    `insert into jobs (queue, data) select 'poll', '{}' from generate_series(1, 12000)`,
  );
  await setClock(database.knex, 0);
  expect(await moveWaiting(database.knex)).toBe(12_000);
});

test('the clock is known to be behind until it is trusted again, and never because of a second', async () => {
  const { knex } = database;
  expect(await readClock(knex)).toBe(0);
  await setClock(database.knex, 59.95);
  expect(await readClock(knex)).toBe(0);
  await setClock(database.knex, 0);
  expect(Math.round((await readClock(knex)) / 60)).toBe(60);
  expect(Math.round((await readClock(knex)) / 60)).toBe(60);
  await acceptClock(knex);
  expect(await readClock(knex)).toBe(0);
  await setClock(database.knex, 60);
  expect(await readClock(knex)).toBe(0);
});

/** Instants for which nothing waits: they tell what happened, or are compared with the age of something. */
const facts = [
  'account_use.hour',
  'archive.caught_up_at',
  // One in the future is taken for long ago.
  'archive.fault_at',
  'archive.rewound_at',
  'archive_segments.leaving_at',
  'archive_segments.left_at',
  'audit_log.at',
  'campaign_grants.given_at',
  'campaigns.expires_at',
  'chatapp_templates.approval_decided_at',
  'chatapp_templates.approved_at',
  'chatapp_templates.category_decided_at',
  'clients.tokens_valid_from',
  'clock_readings.latest',
  // Codes are counted by the hour in which they were sent, whatever hour that was called.
  'code_counts.hour',
  'connector_states.last_error_at',
  'connector_states.seen_at',
  'connectors.condition_since',
  // A session may be idle for longer then, and ends twelve hours after its start.
  'console_sessions.used_at',
  'count_progress.accepted_at',
  'counted_codes.confirmed_at',
  'counted_codes.hour',
  'inbound_messages.received_at',
  // Incomplete texts are given up by their age.
  'inbound_parts.received_at',
  'inbound_unreadable.received_at',
  // One from before the clock was set back counts for nothing.
  'keyword_replies.replied_at',
  'ledger_seals.latest_at',
  'ledger_seals.sealed_at',
  'message_counts.hour',
  'messages.final_at',
  'messages.reached_at',
  'messages.released_at',
  // A client named this time: 09:00 stays 09:00.
  'messages.send_at',
  'messages.submitted_at',
  // Written by this: see src/delivery/validity.test.ts.
  'messages.valid_from',
  'minute_counts.minute',
  'network_preferences.decided_at',
  'network_reports.occurred_at',
  'opt_out_import_chunks.stored_at',
  'opt_out_imports.read_at',
  // Whose a name is was seen at most a day late.
  'person_names.seen_at',
  'ported_imports.used_since',
  'ported_imports.went_on_at',
  'processes.seen_at',
  // Set or not set.
  'quarantine.retry_at',
  // Replays have a test of their own for this: see src/receipts/replay.test.ts.
  'receipt_replays.began_at',
  'receipt_replays.due_until',
  'receipts.replayed_at',
  'receipts.started_at',
  'requests.send_at',
  'requests.valid_until',
  'secret_keys.released_at',
  'sms_templates.approved_at',
  'token_keys.signs_from',
];

test('every column with an instant is moved, or known as one for which nothing waits', async () => {
  const { rows: columns } = await database.knex.raw<{ rows: { name: string }[] }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     join information_schema.tables using (table_schema, table_name)
     where table_schema = current_schema() and data_type = 'timestamp with time zone' and table_type = 'BASE TABLE'
       and column_name not in ('created_at', 'updated_at') and table_name not like 'knex%' order by 1`,
  );
  const moved = waiting.flatMap(({ table, due, writtenColumn }) => [
    `${table}.${due}`,
    `${table}.${writtenColumn}`,
  ]);
  expect(columns.map(({ name }) => name).filter((name) => !moved.includes(name))).toEqual(facts);
});
