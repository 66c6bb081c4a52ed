/** Receipts that wait to be posted. A receipt's row is its own job: claimed by time, settled by its outcome. */
import type { Knex } from 'knex';
import type { FreeSlots } from './slots.ts';

/** An origin that fails this often in a row is parked. */
const failuresUntilParked = 20;
/** A parked origin is probed this often. */
const parkedSeconds = 60;

/** A receipt this process posts now. */
export interface ClaimedReceipt {
  /** The webhook-id, the same over all attempts. */
  id: string;
  clientId: string;
  url: string;
  origin: string;
  body: string;
  attemptsMade: number;
}

/** What one attempt came to. */
export interface Attempt {
  receiptId: string;
  origin: string;
  state: 'Pending' | 'Delivered' | 'Ended' | 'Exhausted';
  /** When `state` is Pending: seconds until the next attempt. */
  delaySeconds: number;
  status: number | undefined;
  error: string | undefined;
  /** The endpoint answered, and not with an error of its own; null: it was not asked. */
  originWorks: boolean | null;
}

export interface Claim {
  receipts: ClaimedReceipt[];
  /** Some origins were not looked at: the next claim begins with them. */
  unfinished: boolean;
}

export interface ReceiptRepository {
  /**
   * Claims due receipts: origins take turns, by chance among equals, each with its oldest first, and none of
   * parked ones. One receipt of an origin whose time is over is the probe: the claim parks the origin again,
   * whoever else may be looking, until the probe succeeds. A claim that is not settled within `leaseSeconds` is
   * due again.
   */
  claim: (free: FreeSlots, leaseSeconds: number) => Promise<Claim>;
  settle: (attempts: readonly Attempt[]) => Promise<void>;
  /** Ends all claims that had no attempt yet: for a process that knows that no other one is at work. */
  reclaim: () => Promise<void>;
}

/** Origins looked at in one claim, so that very many cost no more than many. */
const originsPerClaim = 1_000;

const parkedAnew = "now() + :parkedSeconds * interval '1 second'";

/** Goes from origin to origin through the index: how many receipts wait for each makes no difference. */
const claimText = `
  with recursive visited as (
    (select origin, 1 as visit from receipts
     where state = 'Pending' and origin > :after order by origin limit 1)
    union all
    select next.origin, visit + 1 from visited, lateral (
      select r.origin from receipts r
      where r.state = 'Pending' and r.origin > visited.origin order by r.origin limit 1
    ) as next
    where visit < :originsPerClaim
  ), room as (
    select * from json_to_recordset(:rooms::json) as r(origin text, places integer, proven boolean)
  ), open as (
    select v.origin, o.parked_until is not null as probing, coalesce(room.proven, false) as proven,
      case when o.parked_until is null then coalesce(room.places, :newcomerPlaces) else 1 end as places
    from visited v left join receipt_origins o on o.origin = v.origin left join room on room.origin = v.origin
    where o.parked_until is null or o.parked_until <= now()
  ), due as (
    select oldest.id, open.*, row_number() over (partition by origin order by next_attempt_at, id) as place
    from open, lateral (
      select r.id, r.next_attempt_at from receipts r
      where r.origin = open.origin and r.state = 'Pending' and r.next_attempt_at <= now()
      order by r.next_attempt_at limit open.places
    ) as oldest
  ), turns as (
    select *, row_number() over (partition by proven order by place, chance) as turn
    from (select *, random() as chance from due) as drawn
  ), picked as (
    select * from turns where proven or turn <= :newcomerLimit order by place, chance limit :limit
  ), free as (
    select origin from receipt_origins
    where origin in (select origin from picked where probing) and parked_until <= now()
    for update skip locked
  ), probed as (
    update receipt_origins o set parked_until = ${parkedAnew}
    from free where o.origin = free.origin
    returning o.origin
  ), chosen as (
    select r.id from picked join receipts r on r.id = picked.id
    where (not probing or picked.origin in (select origin from probed))
      and r.state = 'Pending' and r.next_attempt_at <= now()
    for update of r skip locked
  ), claimed as (
    update receipts r set next_attempt_at = now() + :leaseSeconds * interval '1 second'
    from chosen where r.id = chosen.id
    returning r.id, r.client_id as "clientId", r.url, r.origin, r.body, r.attempts as "attemptsMade"
  )
  select (select json_agg(claimed) from claimed) as receipts,
    (select origin from visited where visit = :originsPerClaim) as last`;

export function createReceiptRepository(knex: Knex): ReceiptRepository {
  /** Where the next claim goes on. */
  let after = '';
  return {
    reclaim: async () => {
      await knex.raw(
        `update receipts set next_attempt_at = now() where state = 'Pending' and attempts = 0 and next_attempt_at > now()`,
      );
    },

    claim: async ({ rooms, ...free }, leaseSeconds) => {
      const { rows } = await knex.raw<{ rows: { receipts: ClaimedReceipt[] | null; last: string | null }[] }>(
        claimText,
        { ...free, rooms: JSON.stringify(rooms), after, leaseSeconds, parkedSeconds, originsPerClaim },
      );
      after = rows[0]?.last ?? '';
      return { receipts: rows[0]?.receipts ?? [], unfinished: after !== '' };
    },

    settle: async (attempts) => {
      await knex.raw(
        `with attempt as (
           select * from json_to_recordset(:attempts::json) as a("receiptId" uuid, origin text, state text,
             "delaySeconds" float8, status integer, error text, "originWorks" boolean)
         ), origins as (
           insert into receipt_origins as known (origin, failures_in_a_row, parked_until)
           select origin, failures, case when failures >= :failuresUntilParked then ${parkedAnew} end
           from (
             select origin, case when bool_or("originWorks") then 0 else count(*) end as failures
             from attempt where "originWorks" is not null group by origin
           ) as outcome
           where failures > 0 or origin in (select origin from receipt_origins)
           order by origin
           on conflict (origin) do update set
             failures_in_a_row = case when excluded.failures_in_a_row > 0
               then known.failures_in_a_row + excluded.failures_in_a_row else 0 end,
             parked_until = case when excluded.failures_in_a_row > 0
               and known.failures_in_a_row + excluded.failures_in_a_row >= :failuresUntilParked
               then ${parkedAnew} end
         )
         update receipts r set
           state = attempt.state,
           attempts = r.attempts + 1,
           next_attempt_at = now() + attempt."delaySeconds" * interval '1 second',
           last_status = attempt.status,
           last_error = attempt.error,
           updated_at = now()
         from attempt where r.id = attempt."receiptId" and r.state = 'Pending'`,
        { attempts: JSON.stringify(attempts), failuresUntilParked, parkedSeconds },
      );
    },
  };
}
