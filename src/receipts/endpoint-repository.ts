/** Reads which callback endpoints fail, and has those that work again tried at once. */
import type { Knex } from 'knex';
import { originOf } from './callback/callback-url.ts';
import { parkedUntil } from './posting/parking.ts';

/** Where the receipts of a team are posted to, by the origin of the URL. */
export interface Endpoint {
  /** The first digits of the key of its origin. */
  key: string;
  teamId: string;
  origin: string;
  /** Failed attempts in a row. */
  failures: number;
  /** When a parked one is tried next; null: it is not parked. */
  parkedUntil: Date | null;
  /** Receipts that wait there, and those of the last day that were given up; each counted up to 1,000. */
  waiting: number;
  exhausted: number;
}

/** Where a page ended. */
export interface EndpointPlace {
  teamId: string;
  originKey: string;
}

const keyDigits = 16;
const keyOf = `left(replace(origin_key::text, '-', ''), ${keyDigits}) as key`;

const mostCounted = 1_000;
/** Of the receipts given up in the last day the newest, which bounds the cost of a page. */
const mostGivenUp = 10_000;
const lastDay = `created_at >= service_now() - interval '24 hours'`;

/** Along the index of one origin. */
const counted = (keys: string, condition: string) => `(select count(*)::integer from (
    select from receipts r where r.team_id = ${keys}.team_id and r.origin_key = ${keys}.origin_key and r.${condition}
    limit ${mostCounted}) as found)`;

/** Of a row `e` with the key of an endpoint; one that never failed is called by the URL of a receipt. */
const columns = `${keyOf}, e.team_id as "teamId", coalesce(o.origin, '') as origin,
  coalesce(o.failures_in_a_row, 0) as failures, ${parkedUntil('o')} as "parkedUntil",
  ${counted('e', `state = 'Waiting'`)} as waiting, ${counted('e', `state = 'Exhausted' and r.${lastDay}`)} as exhausted,
  case when o.origin is null then (select url from receipts r
    where r.team_id = e.team_id and r.origin_key = e.origin_key
    order by r.team_id, r.origin_key, r.state, r.created_at, r.id limit 1) end as url`;

interface Row extends Endpoint {
  /** Null: it has failed at some time, and its origin is stored. */
  url: string | null;
}

const endpointOf = ({ url, ...endpoint }: Row): Endpoint => ({
  ...endpoint,
  origin: url === null ? endpoint.origin : (originOf(url) ?? url),
});

/** One that failed at some time, or that a receipt was made for; `teamId` is its team. `key`: 16 hexadecimal digits. */
export async function findEndpoint(knex: Knex, teamId: string, key: string): Promise<Endpoint | undefined> {
  const { rows } = await knex.raw<{ rows: Row[] }>(findText, keysFrom(teamId, key));
  return rows[0] && endpointOf(rows[0]);
}

/** Of an endpoint that never failed there are only receipts, of which any one is read. Exported for the test of its plan. */
export const findText = `
  with e as (
    (select team_id, origin_key from receipt_origins
     where team_id = :teamId and origin_key between :first::uuid and :last::uuid limit 1)
    union
    (select team_id, origin_key from receipts
     where team_id = :teamId and origin_key between :first::uuid and :last::uuid
     order by team_id, origin_key, state, created_at, id limit 1)
    limit 1
  )
  select ${columns}
  from e left join receipt_origins o using (team_id, origin_key)`;

const keysFrom = (teamId: string, key: string) => ({
  teamId,
  first: key.padEnd(32, '0'),
  last: key.padEnd(32, 'f'),
});

/** Those that failed when they were tried last, or gave up receipts in the last day, by team. */
export async function listFailingEndpoints(
  knex: Knex,
  teamId: string | undefined,
  { after, limit }: { after?: EndpointPlace | undefined; limit: number },
): Promise<{ endpoints: Endpoint[]; next: EndpointPlace | undefined }> {
  const { rows } = await knex.raw<{ rows: (Row & EndpointPlace)[] }>(
    `with failing as (
       select team_id, origin_key from receipt_origins
       where failures_in_a_row > 0 and (:teamId::text is null or team_id = :teamId)
     ), gave_up as (
       select team_id, origin_key from receipts
       where state = 'Exhausted' and ${lastDay} and (:teamId::text is null or team_id = :teamId)
       order by created_at desc limit ${mostGivenUp}
     ), e as (
       select team_id, origin_key from (select * from failing union select * from gave_up) as all_of_them
       where :afterTeam::text is null or (team_id, origin_key) > (:afterTeam, :afterKey::uuid)
       order by team_id, origin_key limit :limit
     )
     select ${columns}, origin_key as "originKey"
     from e left join receipt_origins o using (team_id, origin_key) order by team_id, origin_key`,
    {
      teamId: teamId ?? null,
      afterTeam: after?.teamId ?? null,
      afterKey: after?.originKey ?? null,
      limit: limit + 1,
    },
  );
  return {
    endpoints: rows.slice(0, limit).map(({ originKey: _, ...row }) => endpointOf(row)),
    next: rows.length > limit ? rows[limit - 1] : undefined,
  };
}

const releasedTogether = 1_000;

/** Forgets the failures of an endpoint, so that it is tried as any other. Undefined when it has none; else how often it had failed. */
export async function releaseEndpoint(
  trx: Knex.Transaction,
  teamId: string,
  origin: string,
): Promise<Pick<Endpoint, 'failures' | 'parkedUntil'> | undefined> {
  const { rows } = await trx.raw<{ rows: Pick<Endpoint, 'failures' | 'parkedUntil'>[] }>(
    `with failing as (
       select * from receipt_origins
       where team_id = :teamId and origin = :origin and failures_in_a_row > 0 for update
     ), released as (
       update receipt_origins o set failures_in_a_row = 0, parked_until = null
       from failing where o.team_id = failing.team_id and o.origin_key = failing.origin_key
     )
     select failures_in_a_row as failures, parked_until as "parkedUntil" from failing`,
    { teamId, origin },
  );
  return rows[0];
}

/** Makes the receipts due that wait for their next attempt there, in parts, so that none is locked for long. */
export async function hurryReceipts(knex: Knex, teamId: string, origin: string): Promise<number> {
  let hurried = 0;
  for (;;) {
    const { rows } = await knex.raw<{ rows: unknown[] }>(
      `with waiting as (
         select id from receipts
         where state = 'Waiting' and claimed_by is null and team_id = :teamId and next_attempt_at > service_now()
           and origin_key in (select origin_key from receipt_origins where team_id = :teamId and origin = :origin)
         order by id limit ${releasedTogether} for update skip locked
       )
       update receipts set next_attempt_at = service_now(), updated_at = service_now()
       where id = any(array(select id from waiting)) returning 1`,
      { teamId, origin },
    );
    hurried += rows.length;
    if (rows.length < releasedTogether) return hurried;
  }
}
