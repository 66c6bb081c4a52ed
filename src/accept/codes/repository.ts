/** Counts codes by place and hour, so that all processes together keep the limit, and counts which of them were confirmed. */
import type { Knex } from 'knex';
import { placesOf } from '../../products/phone/places.ts';
import {
  type Codes,
  type Counted,
  daysLookedAt,
  type HourCount,
  type Judged,
  judgeCodes,
  type Rooms,
  roomOf,
  secondsToNextHour,
} from './rule.ts';

interface Place {
  teamId: string;
  place: string;
}

/** SQL: the hour that counts now. */
const thisHour = `date_trunc('hour', service_now(), 'UTC')`;
/** For how long the client of a request may confirm it. */
const confirmableHours = 24;

/** Judges requests in their order, and counts them. Others wait who count codes to the same places. */
export async function countCodes(knex: Knex, requests: readonly Codes[]): Promise<Counted[]> {
  const byTeam = Map.groupBy(requests, ({ teamId }) => teamId);
  const places = [...byTeam].flatMap(([teamId, own]) =>
    distinctPlaces(own.flatMap(({ phones }) => phones)).map((place) => ({ teamId, place })),
  );
  return knex.transaction(async (trx) => {
    await lockPlaces(trx, places);
    const { nowMs, rooms } = await loadRooms(trx, places);
    const judged = requests.map((request) => ({
      request,
      ...judgeCodes(request.phones, request.guard, rooms.get(request.teamId) ?? new Map()),
    }));
    await write(trx, judged);
    const seconds = secondsToNextHour(nowMs);
    return judged.map(({ over, counts }) => ({ over, counts, seconds }));
  });
}

const distinctPlaces = (phones: readonly string[]) => [...new Set(phones.flatMap(placesOf))];

/** Locked in one order, so that processes do not deadlock. */
async function lockPlaces(trx: Knex.Transaction, places: readonly Place[]): Promise<void> {
  await trx.raw(
    `insert into code_counts (team_id, place, hour)
     select "teamId", place, ${thisHour} from json_to_recordset(?::json) as a("teamId" text, place text) order by 1, 2
     on conflict (team_id, place, hour) do update set team_id = excluded.team_id`,
    [JSON.stringify(places)],
  );
}

/** How many codes the places of teams may get now, by team and place. */
async function loadRooms(
  knex: Knex,
  places: readonly Place[],
): Promise<{ nowMs: number; rooms: Map<string, Map<string, number>> }> {
  const { rows } = await knex.raw<{ rows: (Place & { counts: HourCount[]; nowMs: number })[] }>(
    `select a.*, extract(epoch from service_now())::float8 * 1000 as "nowMs",
       coalesce((
         select json_agg(json_build_object('hour', extract(epoch from c.hour) * 1000,
             'sent', c.sent, 'confirmed', c.confirmed, 'overConfirmed', c.over_confirmed))
         from code_counts c
         where c.team_id = a."teamId" and c.place = a.place and c.hour > service_now() - interval '${daysLookedAt} days'
       ), '[]') as counts
     from json_to_recordset(?::json) as a("teamId" text, place text)`,
    [JSON.stringify(places)],
  );
  const byTeam = Map.groupBy(rows, ({ teamId }) => teamId);
  return {
    nowMs: rows[0]?.nowMs ?? 0,
    rooms: new Map(
      [...byTeam].map(([teamId, own]) => [
        teamId,
        new Map(own.map(({ place, counts, nowMs }) => [place, roomOf(counts, nowMs)])),
      ]),
    ),
  };
}

/** How many codes each place of the numbers may get now. */
export async function findRooms(knex: Knex, teamId: string, phones: readonly string[]): Promise<Rooms> {
  const places = distinctPlaces(phones).map((place) => ({ teamId, place }));
  const { nowMs, rooms } = await loadRooms(knex, places);
  return { rooms: rooms.get(teamId) ?? new Map(), seconds: secondsToNextHour(nowMs) };
}

async function write(trx: Knex.Transaction, judged: readonly (Judged & { request: Codes })[]): Promise<void> {
  const sums = new Map<string, Place & { sent: number; over: number }>();
  for (const { request, counts } of judged)
    for (const { place, sent, over } of counts) {
      const { teamId } = request;
      const before = sums.get(`${teamId} ${place}`) ?? { teamId, place, sent: 0, over: 0 };
      sums.set(`${teamId} ${place}`, { ...before, sent: before.sent + sent, over: before.over + over });
    }
  const accepted = judged.filter(({ request, over }) => request.guard === 'Record' || over.length === 0);
  await trx.raw(
    `with counted as (
       update code_counts c set sent = c.sent + a.sent, over = c.over + a.over
       from json_to_recordset(?::json) as a("teamId" text, place text, sent integer, over integer)
       where c.team_id = a."teamId" and c.place = a.place and c.hour = ${thisHour}
     )
     insert into counted_codes (request_id, team_id, hour, codes, places)
     select "requestId", "teamId", ${thisHour}, codes, places
     from json_to_recordset(?::json) as r("requestId" uuid, "teamId" text, codes integer, places jsonb)`,
    [
      JSON.stringify([...sums.values()]),
      JSON.stringify(
        accepted.map(({ request: { requestId, teamId, phones }, counts }) => ({
          requestId,
          teamId,
          codes: phones.length,
          places: counts,
        })),
      ),
    ],
  );
}

/** SQL: the counts of what `changed` has, locked in the order of `lockPlaces`. */
const lockedCounts = `
  shares as (
    select changed.team_id, changed.hour, p.* from changed,
      jsonb_to_recordset(changed.places) as p(place text, sent integer, over integer)
  ), locked as (
    select c.team_id, c.place, c.hour, s.sent, s.over from code_counts c join shares s using (team_id, place, hour)
    order by c.team_id, c.place for update of c
  )`;

/** Takes a request out of the counts that was not accepted. */
export async function uncountCodes(knex: Knex, requestId: string): Promise<void> {
  await knex.raw(
    `with changed as (delete from counted_codes where request_id = ?::uuid returning *), ${lockedCounts}
     update code_counts c set sent = c.sent - l.sent, over = c.over - l.over from locked l
     where c.team_id = l.team_id and c.place = l.place and c.hour = l.hour`,
    [requestId],
  );
}

/** How many codes of a request count as confirmed, with this call or before; undefined: the team has no such request. */
export async function confirmCodes(
  knex: Knex,
  requestId: string,
  teamId: string,
): Promise<number | undefined> {
  const { rows } = await knex.raw<{ rows: { codes: number }[] }>(
    `with changed as (
       update counted_codes set confirmed_at = service_now()
       where request_id = :requestId::uuid and team_id = :teamId and confirmed_at is null returning *
     ), ${lockedCounts}, counted as (
       update code_counts c set confirmed = c.confirmed + l.sent, over_confirmed = c.over_confirmed + l.over from locked l
       where c.team_id = l.team_id and c.place = l.place and c.hour = l.hour
     )
     select coalesce(c.codes, 0) as codes from requests r left join counted_codes c on c.request_id = r.id
     where r.id = :requestId::uuid and r.team_id = :teamId`,
    { requestId, teamId },
  );
  return rows[0]?.codes;
}

/** Deletes what no limit and no confirmation needs any longer. */
export async function purgeCodes(knex: Knex): Promise<void> {
  await knex.raw(
    `with old as (delete from counted_codes where hour < service_now() - interval '${confirmableHours} hours')
     delete from code_counts where hour < service_now() - interval '${daysLookedAt + 1} days'`,
  );
}
