/** The statement that claims due receipts. Its cost grows with the origins it looks at, never with what waits for them. */
import { stateOfFound } from '../../model/states.ts';
import type { InLot } from './lot-repository.ts';
import { isParked, parkedAnew } from './parking.ts';

/** Where receipts of a team go. Two teams with receipts for one server have an origin each. */
export interface Origin {
  teamId: string;
  originKey: string;
}

export interface ClaimedReceipt extends Origin {
  /** The webhook-id, the same over all attempts. */
  id: string;
  clientId: string;
  url: string;
  body: string;
  /** The trace of its request, or of the message of a phone; null: it has none. */
  trace: string | null;
  attemptsMade: number;
  /** It has no row of its own yet. */
  inLot?: InLot;
}

/** Teams and origins looked at in one claim, so that very many cost no more than many. */
export const teamsPerClaim = 500;
const originsPerClaim = 1_000;
/** Of each team, however many teams there are. */
const originsPerTeam = 16;

/** A claimed receipt may be claimed again when this is over. Twice as long as a post with its record may take. */
export const leaseSeconds = 30;

const isWaiting = (receipts: string) => `${receipts}.state = 'Waiting'`;

/** A claimed one is due when its lease is over. */
export const isDue = (receipts: string) => `${receipts}.next_attempt_at <= service_now()`;

/** The receipt of an origin that is due first, found through the index. */
const first = (condition: string) => `
  select r.team_id, r.origin_key, r.next_attempt_at from receipts r
  where ${isWaiting('r')} and ${condition} order by r.origin_key, r.next_attempt_at limit 1`;

/** Goes from team to team and from origin to origin through the index: their first due receipts tell who has any. */
const seen = `
  loads as materialized (
    select * from json_to_recordset(:teams::json) as t("teamId" text, taken integer, "takenByUntested" integer,
      "untestedPlaces" integer)
  ), known as materialized (
    select * from json_to_recordset(:origins::json) as o("teamId" text, "originKey" uuid, taken integer,
      places integer, startable integer)
  ), cursors as materialized (
    select * from json_to_recordset(:cursors::json) as c("teamId" text, after uuid)
  ), teams as (
    (select team_id, 1 as visit from receipts
     where ${isWaiting('receipts')} and team_id > :afterTeam order by team_id limit 1)
    union all
    select next.team_id, visit + 1 from teams, lateral (
      select r.team_id from receipts r
      where ${isWaiting('r')} and r.team_id > teams.team_id order by r.team_id limit 1
    ) as next
    where visit < ${teamsPerClaim}
  ), share as materialized (
    select greatest(${originsPerTeam}, ${originsPerClaim} / greatest(count(*), 1)) as origins from teams
  ), visited as (
    select next.*, 1 as visit from teams left join cursors on "teamId" = teams.team_id, lateral (${first(
      "r.team_id = teams.team_id and r.origin_key > coalesce(after, '00000000-0000-0000-0000-000000000000')",
    )}) as next
    union all
    select next.*, visit + 1 from visited, lateral (${first(
      'r.team_id = visited.team_id and r.origin_key > visited.origin_key',
    )}) as next
    where visit < (select origins from share)
  ), windows as (
    select teams.team_id as "teamId", visited.origin_key as after
    from teams left join visited on visited.team_id = teams.team_id and visited.visit = (select origins from share)
    where visited.origin_key is not null or teams.team_id in (select "teamId" from cursors)
  ), candidates as (
    select team_id, origin_key from visited where ${isDue('visited')}
    -- Those that answer well are looked at in every claim.
    union
    select head.team_id, head.origin_key from known, lateral (${first(
      'r.team_id = known."teamId" and r.origin_key = known."originKey"',
    )}) as head
    where known.places > known.taken and ${isDue('head')}
  )`;

/**
 * The first attempts of a message's receipts start in their order. A receipt waits until an attempt of the one before
 * has ended, or began a second ago: its post has arrived by then, and a slow endpoint holds up nothing for longer.
 */
const inTurn = `(r.sequence = 1 or not exists (
        select from receipts before
        where before.message_id = r.message_id and before.sequence = r.sequence - 1
          and before.state = 'Waiting' and before.attempts = 0
          and (before.started_at is null or before.started_at between service_now() - interval '1 second' and service_now())
        -- Looked up by message: without it a planner may read all receipts into a hash table.
        offset 0
      ))`;

/** Places of each origin, then its due receipts: no more than can be picked if all origins have as many. */
const due = `
  open as materialized (
    select c.*, o.parked_until is not null as probing, k.places is not null as healthy, k.startable,
      coalesce(o.failures_in_a_row, 0) > 0 as failing,
      case
        when o.parked_until is not null then 1
        when k.places is null and o.failures_in_a_row > 0 then 1 - coalesce(k.taken, 0)
        else coalesce(k.places, :placesOfUntested) - coalesce(k.taken, 0)
      end as places
    from candidates c
      left join receipt_origins o using (team_id, origin_key)
      left join known k on k."teamId" = c.team_id and k."originKey" = c.origin_key
    where not coalesce(${isParked('o')}, false)
  ), most as materialized (
    select 1 + 2 * :places / greatest(count(*), 1) as receipts from open
  ), due as (
    select oldest.id, oldest.next_attempt_at, open.*, random() as chance,
      row_number() over (partition by team_id, origin_key order by next_attempt_at, id) as place
    from open, lateral (
      select r.id, r.next_attempt_at from receipts r
      where r.team_id = open.team_id and r.origin_key = open.origin_key and ${isWaiting('r')} and ${isDue('r')}
        and ${inTurn}
      order by r.next_attempt_at
      limit least(greatest(open.places, 0), (select receipts from most))
    ) as oldest
  )`;

/**
 * A team's level is the places that it has taken and those that it would have with this post. The lowest levels are
 * picked first, as long as the level is not above what is then still free: a team alone may have half of all places,
 * two a third each, and some are always free for the next one.
 */
const picked = `
  untested as (
    select due.id, chance, coalesce(l."untestedPlaces", :untestedPlaces) as most,
      coalesce(l."takenByUntested", 0)
        + row_number() over (partition by team_id order by failing, place, chance) as level
    from due left join loads l on l."teamId" = team_id
    where not healthy
  ), admitted as (
    select id from (
      select *, row_number() over (order by level, chance) as turn from untested where level <= most
    ) as turns
    where level <= :untestedPlaces - turn + 1
  ), levels as (
    select due.*, coalesce(l.taken, 0)
      + row_number() over (partition by team_id order by failing, place, chance) as level
    from due left join loads l on l."teamId" = team_id
    where healthy or due.id in (select id from admitted)
  ), picked as (
    select * from (select *, row_number() over (order by level, chance) as turn from levels) as turns
    where level <= :places - turn + 1
  )`;

export const claimText = `
  with recursive ${seen}, ${due}, ${picked}, unparked as (
    select team_id, origin_key from receipt_origins o
    where (team_id, origin_key) in (select team_id, origin_key from picked where probing)
      and parked_until is not null and not ${isParked('o')}
    for update skip locked
  ), probed as (
    update receipt_origins o set parked_until = ${parkedAnew}
    from unparked where o.team_id = unparked.team_id and o.origin_key = unparked.origin_key
    returning o.team_id, o.origin_key
  ), chosen as materialized (
    -- One by one, and below as an array: joins of so many estimated rows would read all receipts.
    select r.id, picked.next_attempt_at as due_at, not healthy or place <= startable as starts from picked, lateral (
      select id from receipts
      where id = picked.id and ${stateOfFound('receipts')} = 'Waiting' and ${isDue('receipts')}
      for update skip locked
    ) as r
    where not probing or (picked.team_id, picked.origin_key) in (select team_id, origin_key from probed)
  ), claimed as (
    update receipts r set claimed_by = :claimedBy, updated_at = service_now(),
      next_attempt_at = service_now() + interval '${leaseSeconds} s',
      -- One that waits in memory first has not begun: the receipt after it waits too.
      started_at = case when r.id = any(array(select id from chosen where starts))
        then coalesce(r.started_at, service_now()) else r.started_at end
    where r.id = any(array(select id from chosen))
    returning r.id, r.team_id as "teamId", r.client_id as "clientId", r.url,
      r.origin_key as "originKey", r.body, r.trace, r.attempts as "attemptsMade"
  )
  select (select json_agg(claimed order by due_at, id) from claimed join chosen using (id)) as receipts,
    (select json_agg(windows) from windows) as windows,
    (select team_id from teams where visit = ${teamsPerClaim}) as "lastTeam"`;
