/**
 * Finds out that the database's clock was set back, and moves what waits by a stored instant. A row that was written in
 * the future is from before that: it waits as long as was planned when it was written, from now on.
 */
import type { Knex } from 'knex';
import { stateInSecondOrder } from '../model/states.ts';
import { leaseSeconds } from './job.ts';

/** Rows that wait for an instant. */
export interface Waiting {
  table: string;
  due: string;
  /** When `due` was written: an expression. */
  written: string;
  /** The column that says so, where it is not part of the others. */
  writtenColumn?: string;
  /** A column with another instant that was written at the same time. */
  along?: string;
  /** In the words of a partial index. */
  where?: string;
}

/**
 * All tables whose rows wait for an instant. What is told by the age of a message that its network has comes later with
 * the clock.
 */
export const waiting: readonly Waiting[] = [
  {
    table: 'jobs',
    due: 'due_at',
    written: `case when claimed then due_at - interval '${leaseSeconds} s' else written_at end`,
    writtenColumn: 'written_at',
    along: 'expires_at',
  },
  // Those that are due, and wait for a connector that is paused.
  { table: 'jobs', due: 'expires_at', written: 'written_at', writtenColumn: 'written_at' },
  { table: 'network_reports', due: 'next_look_at', written: 'received_at', writtenColumn: 'received_at' },
  {
    table: 'receipts',
    due: 'next_attempt_at',
    written: 'updated_at',
    writtenColumn: 'updated_at',
    where: `${stateInSecondOrder('receipts')} = 'Waiting'`,
  },
  { table: 'receipt_lots', due: 'leased_until', written: `leased_until - interval '30 s'` },
  { table: 'receipt_origins', due: 'parked_until', written: `parked_until - interval '60 s'` },
  { table: 'connector_leases', due: 'until', written: 'renewed_at', writtenColumn: 'renewed_at' },
  { table: 'connectors', due: 'paused_until', written: 'paused_at', writtenColumn: 'paused_at' },
  { table: 'erasures_due', due: 'next_look_at', written: 'written_at', writtenColumn: 'written_at' },
  // Not for an instant, but not behind it: what is written from now on must not be passed over. A day is read twice.
  { table: 'retention_progress', due: 'at', written: `at + interval '1 day'` },
  { table: 'late_reports', due: 'looked_until', written: `looked_until + interval '1 day'` },
  { table: 'archive', due: 'held_until', written: `held_until - interval '120 s'` },
  { table: 'archive', due: 'next_round_at', written: `next_round_at - interval '1 hour'` },
  { table: 'simulated_reports', due: 'due_at', written: 'written_at', writtenColumn: 'written_at' },
];

/** A transaction that began later may have written a later time: only one further ahead means a clock set back. */
const slack = `interval '5 seconds'`;
const movedTogether = 5_000;

/** How far the clock is behind the latest time that was read from it, in seconds; 0 when it was not set back. */
export async function readClock(knex: Knex): Promise<number> {
  const { rows } = await knex.raw<{ rows: { behind: number }[] }>(
    `update clock_readings set latest = greatest(latest, service_now())
     returning extract(epoch from latest - service_now())::float8 as behind,
       latest > service_now() + ${slack} as "setBack"`,
  );
  const [row] = rows as { behind: number; setBack: boolean }[];
  return row?.setBack ? row.behind : 0;
}

/** Trusts the clock as it is now. */
export async function acceptClock(knex: Knex): Promise<void> {
  await knex.raw('update clock_readings set latest = service_now()');
}

/**
 * Moves all rows that were written in the future; returns how many. Waits for no lock: whoever holds a row writes it
 * anew, or the next call finds it.
 */
export async function moveWaiting(knex: Knex): Promise<number> {
  // First: a job must not expire before its messages.
  let moved = await moveValidity(knex);
  for (const each of waiting) {
    const text = moveText(each);
    let count = movedTogether;
    while (count === movedTogether) {
      const { rows } = await knex.raw<{ rows: { count: number }[] }>(text, { limit: movedTogether });
      count = rows[0]?.count ?? 0;
      moved += count;
    }
  }
  return moved;
}

/** SQL: since when the validity of a message `m` of a request `r` counts: of a scheduled one since its time, however late it was released. */
export const validFrom = `coalesce(m.valid_from,
  case when m.send_at is null then m.released_at end, r.send_at, r.created_at)`;

/**
 * SQL: the seconds until a message `m` of a request `r` expires, whose service `s` may have a rule of its own; zero or less:
 * it has expired. `validitySeconds`: of services without one. A chat-app message with an SMS in reserve makes room for it.
 */
export const secondsLeft = (validitySeconds: string) => `least(
  case when r.valid_until is not null then extract(epoch from r.valid_until - service_now())
    else coalesce(s.validity_seconds, ${validitySeconds})
      - greatest(extract(epoch from service_now() - ${validFrom}), 0) end,
  case when m.product = 'chatapp' then (r.fallback ->> 'after')::integer
    - extract(epoch from service_now() - coalesce(m.valid_from, m.send_at, r.created_at)) end)::float8`;

/** Lets the validity of queued messages count from now that began in the future. */
async function moveValidity(knex: Knex): Promise<number> {
  let moved = 0;
  let after: string | null = '0';
  while (after !== null) {
    const part: ValidityPart = await moveValidityAfter(knex, after);
    after = part.last;
    moved += part.count;
  }
  return moved;
}

interface ValidityPart {
  /** The last message that was looked at; null: there are no more. */
  last: string | null;
  count: number;
}

async function moveValidityAfter(knex: Knex, after: string): Promise<ValidityPart> {
  const { rows } = await knex.raw<{ rows: ValidityPart[] }>(validityText, { after, limit: movedTogether });
  return rows[0] ?? { last: null, count: 0 };
}

const validityText = `
  with queued as materialized (
    select id from messages where with_us and state = 'Queued' and id > :after order by id limit :limit
  ), found as (
    select m.id from queued join messages m on m.id = queued.id join requests r on r.id = m.request_id
    where ${validFrom} > service_now() + ${slack}
    for update of m skip locked
  ), moved as (
    update messages set valid_from = service_now() where id = any(array(select id from found)) returning 1
  )
  select max(id)::text as last, (select count(*) from moved)::integer as count from queued`;

function moveText({ table, due, written, writtenColumn, along, where = 'true' }: Waiting): string {
  const others = [
    ...(along === undefined ? [] : [`${along} = ${along} - (${written} - service_now())`]),
    ...(writtenColumn === undefined ? [] : [`${writtenColumn} = service_now()`]),
  ];
  return `
    with found as (
      select ctid from ${table}
      where ${where} and ${due} > service_now() and ${written} > service_now() + ${slack}
      order by ${due} limit :limit for update skip locked
    ), moved as (
      update ${table} set ${[`${due} = ${due} - (${written} - service_now())`, ...others].join(', ')}
      where ctid = any(array(select ctid from found)) returning 1
    )
    select count(*)::integer as count from moved`;
}
