/** Reads what waits for each connector: how many messages, and since when. */
import type { Knex } from 'knex';
import { waitingSince } from './backlog.ts';
import { lanesText } from './job.ts';

/** A lane, and a connector that its messages may go through. */
export interface RoutedLane {
  connector: string;
  lane: string;
}

export interface Waiting {
  connector: string;
  /** Messages, counted up to 10,000. */
  waiting: number;
  /** When the oldest of them was accepted. */
  oldestWaitingAt: Date;
}

/** All lanes that have jobs. */
export async function readLanes(knex: Knex): Promise<string[]> {
  const { rows } = await knex.raw<{ rows: { lane: string }[] }>(
    `with recursive ${lanesText} select lane from lanes where lane is not null`,
  );
  return rows.map(({ lane }) => lane);
}

/** A count that is larger says no more, and costs more. */
const mostCounted = 10_000;

const firstOf = (deliveries: string) => `
  select priority, team_id, due_at, data from jobs where queue = 'deliver' and ${deliveries}
  order by priority, team_id, due_at, id limit 1`;

/**
 * Only connectors for which messages wait. The oldest of each priority and team is at its head in the index: from
 * there this goes on to the next, and reads nothing between.
 */
export const waitingText = `
  with recursive lanes as (
    select * from json_to_recordset(:lanes::json) as l(connector text, lane text)
  ), heads as (
    select lanes.*, first.* from lanes cross join lateral (${firstOf('lane = lanes.lane')}) as first
    union all
    select heads.connector, heads.lane, next.* from heads cross join lateral (
      ${firstOf('lane = heads.lane and (priority, team_id) > (heads.priority, heads.team_id)')}
    ) as next
  ), oldest as (
    select distinct on (connector) connector, due_at, data
    from (select * from heads limit ${mostCounted}) as few order by connector, due_at
  )
  select connector, least(counted.messages, ${mostCounted})::integer as waiting,
    coalesce(${waitingSince}, least(due_at, service_now())) as "oldestWaitingAt"
  from oldest cross join lateral (
    select sum(messages) as messages from (
      select messages from jobs
      where queue = 'deliver' and lane = any(array(select lane from lanes where lanes.connector = oldest.connector))
      limit ${mostCounted}
    ) as few
  ) as counted
  left join requests
    on requests.id = (case when data -> 'requestIds' ->> 0 ~ '^[0-9a-f-]{36}$' then data -> 'requestIds' ->> 0 end)::uuid`;

export async function readWaiting(knex: Knex, lanes: readonly RoutedLane[]): Promise<Waiting[]> {
  const { rows } = await knex.raw<{ rows: Waiting[] }>(waitingText, { lanes: JSON.stringify(lanes) });
  return rows;
}
