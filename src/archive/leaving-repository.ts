/** Finds requests and messages of phones that are to leave the database, writes them as lines, and deletes them. */
import type { Knex } from 'knex';
import { isAddressIn } from '../model/address.ts';
import { holdsFor } from '../model/products.ts';
import type { LineFacts } from './segment.ts';

/** How many days rows stay, at most: a team may have chosen fewer. Nothing leaves before it was erased as it should be. */
export interface Periods {
  rows: number;
  texts: number;
  receipts: number;
  numbers: number;
}

/** SQL: the days of a team `t`. */
export const daysOfTeam = `greatest(least(:rows::integer, t.row_days), least(:texts::integer, t.text_days),
  least(:receipts::integer, t.receipt_days), least(:numbers::integer, t.number_days))`;

export const leavers = ['requests', 'inbound'] as const;
export type Leaver = (typeof leavers)[number];

interface Definition {
  table: string;
  time: string;
  /** SQL with the row `r`: whether nothing needs it any more, and what retention erases is gone. */
  settled: string;
  /** SQL with the row `r`: what it is joined with. */
  joined: string;
  line: string;
  rows: string;
  /** Locks all that belongs to rows with these ids, in the order in which others lock it. */
  locks: readonly string[];
  remove: string;
}

/** SQL: a column with rows as a list of JSON, without line breaks, and one with how many they are. */
const listOf = (name: string, rows: string, order: string) =>
  `cross join lateral (select concat('[', string_agg(row_to_json(x)::text, ',' order by ${order}), ']') as ${name},
     count(*) as ${name}_count from (${rows}) as x) as ${name}_of`;

const ofRequest = 'select m.id from messages m where m.request_id = r.id';

const definitions: Readonly<Record<Leaver, Definition>> = {
  requests: {
    table: 'requests',
    time: 'created_at',
    settled: `r.trace is null and not exists (
        select from messages m where m.request_id = r.id and (
          m.final_at is null or (${isAddressIn('m.phone')}) or m.content <> '' and ${holdsFor('contentErased', 'm.product')}
          or m.id > (select message_id from count_progress)
          or exists (select from counted_messages where message_id = m.id)
          or exists (select from erasures_due where message_id = m.id)
          or exists (select from quarantine where message_id = m.id)
          or exists (select from receipts where message_id = m.id and (state = 'Waiting' or body <> '' or trace is not null))
        )
      )`,
    joined: `
      ${listOf('messages', 'select * from messages where request_id = r.id', 'x.id')}
      ${listOf('parts', `select * from message_parts where message_id in (${ofRequest})`, 'x.connector, x.network_id')}
      ${listOf('receipts', `select * from receipts where message_id in (${ofRequest})`, 'x.message_id, x.sequence, x.id')}`,
    line: `concat('{"kind":"request","request":', row_to_json(r), ',"messages":', messages, ',"parts":', parts,
      ',"receipts":', receipts, '}')`,
    rows: `json_build_object('requests', 1, 'messages', messages_count, 'messageParts', parts_count, 'receipts', receipts_count)`,
    locks: [
      'select id from messages where request_id = any(:ids::uuid[]) order by id for update',
      `select id from receipts where message_id = any(array(select id from messages where request_id = any(:ids::uuid[])))
       order by id for update`,
    ],
    remove: `
      with own as materialized (
        select id from messages where request_id = any(:ids::uuid[])
      ), receipt as (
        delete from receipts where message_id = any(array(select id from own))
      ), part as (
        delete from message_parts where message_id = any(array(select id from own))
      ), message as (
        delete from messages where id = any(array(select id from own))
      )
      delete from requests where id = any(:ids::uuid[])`,
  },
  inbound: {
    table: 'inbound_messages',
    time: 'received_at',
    settled: `r.text is null and not (${isAddressIn('r.phone')})
      and not exists (select from receipts where id = r.id and (state = 'Waiting' or body <> '' or trace is not null))`,
    joined: listOf('receipts', 'select * from receipts where id = r.id', 'x.id'),
    line: `concat('{"kind":"inbound","message":', row_to_json(r), ',"receipts":', receipts, '}')`,
    rows: `json_build_object('inboundMessages', 1, 'receipts', receipts_count)`,
    locks: [
      'select id from inbound_messages where id = any(:ids::uuid[]) order by id for update',
      'select id from receipts where id = any(:ids::uuid[]) order by id for update',
    ],
    remove: `
      with receipt as (delete from receipts where id = any(:ids::uuid[]))
      delete from inbound_messages where id = any(:ids::uuid[])`,
  },
};

/** Behind the last row that was looked at, in the order of time. */
export interface Place {
  at: string;
  id: string;
}

export interface DueTeam extends Place {
  teamId: string;
  days: number;
}

const teamsAtOnce = 50;

/** Exported for the test of what it reads, as the other texts are. */
export const dueTeamsText = (leaver: Leaver): string => {
  const { table, time } = definitions[leaver];
  const [at, id] = [`coalesce(p.at, '-infinity')`, `coalesce(p.id, '00000000-0000-0000-0000-000000000000')`];
  return `
    select t.id as "teamId", days, ${at}::text as at, ${id} as id
    from teams t cross join lateral (select ${daysOfTeam} as days) as chosen
      left join retention_progress p on p.team_id = t.id and p.duty = :leaver
    where t.id > :afterTeam and (
      select ${time} from ${table} where team_id = t.id and ${time} < service_now() - days * interval '1 day'
        and (${time}, id) > (${at}, ${id})
      order by ${time}, id limit 1) is not null
    order by t.id limit ${teamsAtOnce}`;
};

/** Teams behind one with something that is old enough, and behind which place it is to be found. */
export async function findDueTeams(
  knex: Knex,
  leaver: Leaver,
  afterTeam: string,
  periods: Periods,
): Promise<DueTeam[]> {
  const { rows } = await knex.raw<{ rows: DueTeam[] }>(dueTeamsText(leaver), {
    ...periods,
    leaver,
    afterTeam,
  });
  return rows;
}

export interface Leaving extends Place {
  /** Null: something still needs it. */
  line: string | null;
  facts: LineFacts;
}

/** Timestamps in lines are in UTC, whatever the time zone of the session. */
const inUtc = 'set local time zone utc';
const instant = (time: string) => `to_char(${time}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

export const leavingText = (leaver: Leaver): string => {
  const { table, time, settled, joined, line, rows: counts } = definitions[leaver];
  return `
    with r as materialized (
      select * from ${table} where team_id = :teamId and ${time} < service_now() - :days::integer * interval '1 day'
        and (${time}, id) > (:at::timestamptz, :id::uuid)
      order by ${time}, id limit :limit::integer
    )
    select r.${time}::text as at, r.id, leaving.line, leaving.rows, ${instant(`r.${time}`)} as stored
    from r left join lateral (
      select ${line} as line, ${counts} as rows from (select) as one ${joined} where ${settled}
    ) as leaving on true
    order by r.${time}, r.id`;
};

interface LeavingRow extends Place {
  line: string | null;
  rows: LineFacts['rows'];
  stored: string;
}

/** The next rows of a team, the oldest first, as lines. */
export function readLeaving(knex: Knex, leaver: Leaver, team: DueTeam, limit: number): Promise<Leaving[]> {
  return knex.transaction(async (trx) => {
    await trx.raw(inUtc);
    const { rows } = await trx.raw<{ rows: LeavingRow[] }>(leavingText(leaver), { ...team, limit });
    return rows.map(({ stored, rows: counted, ...row }) => {
      const requestId = leaver === 'requests' ? { requestId: row.id } : {};
      const facts = { team: team.teamId, rows: counted, from: stored, through: stored, ...requestId };
      return { ...row, facts };
    });
  });
}

export const archivedTexts = (
  leaver: Leaver,
): { locks: readonly string[]; compare: string; remove: string } => {
  const { table, settled, joined, line, locks, remove } = definitions[leaver];
  return {
    locks,
    compare: `select r.id, ${line} as line from ${table} r ${joined} where r.id = any(:ids::uuid[]) and ${settled}`,
    remove,
  };
};

/** Deletes those rows that still are what the archive has, by id; the others leave later. Returns how many were deleted. */
export async function removeArchived(
  trx: Knex.Transaction,
  leaver: Leaver,
  archived: ReadonlyMap<string, string>,
): Promise<number> {
  const { locks, compare, remove } = archivedTexts(leaver);
  await trx.raw(inUtc);
  const ids = [...archived.keys()];
  for (const lock of locks) await trx.raw(lock, { ids });
  const { rows } = await trx.raw<{ rows: { id: string; line: string }[] }>(compare, { ids });
  const same = rows.filter((row) => archived.get(row.id) === row.line).map(({ id }) => id);
  if (same.length > 0) await trx.raw(remove, { ids: same });
  return same.length;
}

/** What lies before these places was looked at. */
export async function keepPlaces(
  knex: Knex,
  leaver: Leaver,
  places: ReadonlyMap<string, Place>,
): Promise<void> {
  for (const [team_id, { at, id }] of places)
    await knex('retention_progress')
      .insert({ team_id, duty: leaver, at, id })
      .onConflict(['team_id', 'duty'])
      .merge();
}

/** Looks at everything again that could not leave. */
export async function rewind(knex: Knex): Promise<void> {
  await knex.raw(
    `with rewound as (
       update archive set rewound_at = service_now() where rewound_at < service_now() - interval '1 day'
         or rewound_at > service_now() returning 1
     )
     update retention_progress set at = '-infinity' where duty = any('{requests,inbound}') and exists (select from rewound)`,
  );
}
