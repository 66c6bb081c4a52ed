/** Claims delivery jobs lane by lane: priorities by weight, and the teams of each in equal shares. */
import type { Knex } from 'knex';
import type { Priority } from '../model/plan.ts';
import { runStatement } from '../platform/db/statement.ts';
import { type ClaimedJob, lanesText, leaseFromNowMs, leaseSeconds, type Turn } from './job.ts';

/** One priority of a lane that has room. */
export interface OpenLane {
  lane: string;
  priority: Priority;
  weight: number;
  /** How far the priority is ahead of the others of its lane, in messages of weight 1. */
  ahead: number;
  /** How many messages teams are ahead of the others of their priority. */
  teamsAhead: Readonly<Record<string, number>>;
  /** Messages that the lane has room for. */
  room: number;
  /** The team that was last; its successors are first. */
  after: string;
}

/** A claimed delivery job before its content is checked. */
export interface ClaimedDelivery extends ClaimedJob<unknown>, Turn {
  lane: string;
  messages: number;
  /** The time that its place in the queue went by. */
  placeMs: number;
}

export interface Claim {
  jobs: ClaimedDelivery[];
  /** All lanes that have jobs, due or not. */
  lanes: string[];
  /** Another worker was faster with some: there may be more. */
  missed: boolean;
}

/** Jobs of a lane that go together: few enough that nobody waits long for an embedded database. */
const jobsPerLane = 16;
/** Teams of a priority that one claim looks at; the next claim continues with the next ones. */
const teamsPerClaim = 32;

interface Row {
  jobs: Omit<ClaimedDelivery, 'leaseEndsMs'>[] | null;
  lanes: string[] | null;
  picked: number;
}

/** Also claims jobs whose first message expires, whatever their lane. */
export async function claimDeliveries(knex: Knex, open: readonly OpenLane[]): Promise<Claim> {
  const leaseEndsMs = leaseFromNowMs();
  const [row] = await runStatement<Row>(knex, {
    name: 'claim deliveries',
    text: claimText,
    values: [JSON.stringify(open)],
  });
  const jobs = (row?.jobs ?? []).map((job) => ({ ...job, leaseEndsMs }));
  return { jobs, lanes: row?.lanes ?? [], missed: jobs.length < (row?.picked ?? 0) };
}

const isDelivery = (lane: string, priority: string) =>
  `queue = 'deliver' and lane = ${lane} and priority = ${priority}`;

/** The next team with jobs, or the first one after the last. Each step is one look into an index. */
const teamAfter = (row: string, team: string) => `coalesce(
    (select team_id from jobs where ${isDelivery(`${row}.lane`, `${row}.priority`)} and team_id > ${team}
     order by team_id limit 1),
    (select team_id from jobs where ${isDelivery(`${row}.lane`, `${row}.priority`)} order by team_id limit 1))`;

const claimText = `
  with recursive ${lanesText}, open as (
    select * from json_to_recordset($1::json)
      as o(lane text, priority smallint, weight float8, ahead float8, room integer, after text,
        "teamsAhead" json)
  ), teams as (
    select open.*, first.team_id, first.team_id as first, 1 as place
    from open, lateral (select ${teamAfter('open', 'open.after')} as team_id offset 0) as first
    where first.team_id is not null
    union all
    select t.lane, t.priority, t.weight, t.ahead, t.room, t.after, t."teamsAhead", next.team_id, t.first, t.place + 1
    from teams t, lateral (select ${teamAfter('t', 't.team_id')} as team_id offset 0) as next
    where t.place < ${teamsPerClaim} and next.team_id <> t.first
  ), due as (
    select t.*, j.id, j.messages, j.due_at,
      coalesce((t."teamsAhead" ->> t.team_id)::float8, 0)
        + sum(j.messages) over (partition by t.lane, t.priority, t.team_id order by j.due_at, j.id) - j.messages as level
    from teams t, lateral (
      select id, messages, due_at from jobs
      where ${isDelivery('t.lane', 't.priority')} and team_id = t.team_id and due_at <= service_now()
      order by due_at, id
      limit greatest(1, 2 * ${jobsPerLane} / (select count(*) from teams))
    ) as j
  ), placed as (
    -- Within a priority, teams by what each has had: one message of everybody before the second of anybody.
    select *, ahead + (
      sum(messages) over (partition by lane, priority order by level, place, id) - messages
    ) / weight as starts_at
    from due
  ), lined_up as (
    select *, sum(messages) over line - messages as before, row_number() over line as number
    from placed window line as (partition by lane order by starts_at, priority, level, place, id)
  ), picked as (
    select id, number, due_at from lined_up where before < room and number <= ${jobsPerLane}
    union
    select * from (
      select id, 0, due_at from jobs
      where expires_at <= service_now() and due_at <= service_now() and queue = 'deliver'
      order by expires_at limit ${jobsPerLane}
    ) as expiring
  ), chosen as (
    select locked.id, min(picked.number) as number, picked.due_at from picked, lateral (
      select id from jobs where id = picked.id and due_at <= service_now() for update skip locked
    ) as locked
    group by locked.id, picked.due_at
  ), claimed as (
    update jobs set due_at = service_now() + ${leaseSeconds} * interval '1 second', claims = claims + 1, claimed = true
    where id = any(array(select id from chosen))
    returning id, claims, lane, priority, team_id, messages, data
  )
  select
    (select json_agg(json_build_object('id', claimed.id::text, 'claims', claims, 'lane', lane,
       'priority', priority, 'teamId', team_id, 'messages', messages, 'data', data,
       'placeMs', extract(epoch from chosen.due_at)::float8 * 1000) order by lane, number)
     from claimed join chosen on chosen.id = claimed.id) as jobs,
    (select json_agg(lane) from lanes) as lanes,
    (select count(distinct id) from picked)::integer as picked`;
