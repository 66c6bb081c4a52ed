/** Reads which callback endpoints fail, and has those that work again tried at once. */
import type { Knex } from 'knex';
import { originOf } from './callback/callback-url.ts';
import { isParked } from './posting/parking.ts';

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
}

/** Where a page ended. */
export interface EndpointPlace {
  teamId: string;
  originKey: string;
}

const keyDigits = 16;
const columns = `left(replace(origin_key::text, '-', ''), ${keyDigits}) as key, team_id as "teamId", origin,
  failures_in_a_row as failures`;

/** One that failed at some time, or that a receipt was made for; `teamId` is its team. `key`: 16 hexadecimal digits. */
export async function findEndpoint(knex: Knex, teamId: string, key: string): Promise<Endpoint | undefined> {
  const { rows } = await knex.raw<{ rows: Endpoint[] }>(
    `select ${columns}, case when ${isParked('o')} then parked_until end as "parkedUntil"
     from receipt_origins o where team_id = :teamId and origin_key between :first::uuid and :last::uuid`,
    keysFrom(teamId, key),
  );
  return rows[0] ?? findUnfailed(knex, teamId, key);
}

const keysFrom = (teamId: string, key: string) => ({
  teamId,
  first: key.padEnd(32, '0'),
  last: key.padEnd(32, 'f'),
});

/** Of an endpoint that never failed there are only its receipts. */
async function findUnfailed(knex: Knex, teamId: string, key: string): Promise<Endpoint | undefined> {
  const {
    rows: [receipt],
  } = await knex.raw<{ rows: { url: string }[] }>(unfailedText, keysFrom(teamId, key));
  const origin = receipt && originOf(receipt.url);
  return origin === undefined ? undefined : { key, teamId, origin, failures: 0, parkedUntil: null };
}

/** Any receipt of the endpoint; the tests explain it. In the order of the index, which the planner then takes. */
export const unfailedText = `select url from receipts
  where team_id = :teamId and origin_key between :first::uuid and :last::uuid
  order by team_id, origin_key, state, created_at, id limit 1`;

/** Those that failed when they were tried last, by team. */
export async function listFailingEndpoints(
  knex: Knex,
  teamId: string | undefined,
  { after, limit }: { after?: EndpointPlace | undefined; limit: number },
): Promise<{ endpoints: Endpoint[]; next: EndpointPlace | undefined }> {
  const { rows } = await knex.raw<{ rows: (Endpoint & EndpointPlace)[] }>(
    `select ${columns}, origin_key as "originKey",
       case when ${isParked('o')} then parked_until end as "parkedUntil"
     from receipt_origins o
     where failures_in_a_row > 0 and (:teamId::text is null or team_id = :teamId)
       and (:afterTeam::text is null or (team_id, origin_key) > (:afterTeam, :afterKey::uuid))
     order by team_id, origin_key limit :limit`,
    {
      teamId: teamId ?? null,
      afterTeam: after?.teamId ?? null,
      afterKey: after?.originKey ?? null,
      limit: limit + 1,
    },
  );
  return {
    endpoints: rows.slice(0, limit).map(({ originKey: _, ...endpoint }) => endpoint),
    next: rows.length > limit ? rows[limit - 1] : undefined,
  };
}

const releasedTogether = 1_000;

/** Forgets the failures of an endpoint, so that it is tried as any other. Undefined when it has none; else how it was. */
export async function releaseEndpoint(
  trx: Knex.Transaction,
  teamId: string,
  origin: string,
): Promise<Endpoint | undefined> {
  const { rows } = await trx.raw<{ rows: Endpoint[] }>(
    `with failing as (
       select * from receipt_origins
       where team_id = :teamId and origin = :origin and failures_in_a_row > 0 for update
     ), released as (
       update receipt_origins o set failures_in_a_row = 0, parked_until = null
       from failing where o.team_id = failing.team_id and o.origin_key = failing.origin_key
     )
     select ${columns}, parked_until as "parkedUntil" from failing`,
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
