/** Receipts that wait to be posted. A receipt's row is its own job: claimed by time, settled by its outcome. */
import type { Knex } from 'knex';

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
  /** The endpoint answered, and not with an error of its own. */
  originWorks: boolean;
}

export interface ReceiptRepository {
  /**
   * Claims due receipts, oldest first: at most `perOrigin` of one origin and none of `busyOrigins` or of parked
   * ones. One receipt of an origin whose time is over is the probe: the claim parks the origin again, whoever
   * else may be looking, until the probe succeeds. A claim that is not settled within `leaseSeconds` is due again.
   */
  claim: (options: {
    limit: number;
    perOrigin: number;
    busyOrigins: readonly string[];
    leaseSeconds: number;
  }) => Promise<ClaimedReceipt[]>;
  settle: (attempts: readonly Attempt[]) => Promise<void>;
  /** Ends all claims that had no attempt yet: for a process that knows that no other one is at work. */
  reclaim: () => Promise<void>;
}

/** Due receipts looked at in one claim, so that a long queue costs no more than a short one. */
const windowOfClaim = 2_000;

const parkedAnew = "now() + :parkedSeconds * interval '1 second'";

export function createReceiptRepository(knex: Knex): ReceiptRepository {
  return {
    reclaim: async () => {
      await knex.raw(
        `update receipts set next_attempt_at = now() where state = 'Pending' and attempts = 0 and next_attempt_at > now()`,
      );
    },

    claim: async ({ limit, perOrigin, busyOrigins, leaseSeconds }) => {
      const { rows } = await knex.raw<{ rows: ClaimedReceipt[] }>(
        `with due as (
           select r.id, r.origin, r.next_attempt_at, o.parked_until is not null as probing
           from receipts r left join receipt_origins o on o.origin = r.origin
           where r.state = 'Pending' and r.next_attempt_at <= now() and r.origin <> all(:busyOrigins::text[])
             and (o.parked_until is null or o.parked_until <= now())
           order by r.next_attempt_at limit :window
         ), ranked as (
           select *, row_number() over (partition by origin order by next_attempt_at, id) as place from due
         ), picked as (
           select * from ranked where place <= case when probing then 1 else :perOrigin end
           order by next_attempt_at limit :limit
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
         )
         update receipts r set next_attempt_at = now() + :leaseSeconds * interval '1 second'
         from chosen where r.id = chosen.id
         returning r.id, r.client_id as "clientId", r.url, r.origin, r.body, r.attempts as "attemptsMade"`,
        {
          limit,
          perOrigin,
          busyOrigins: [...busyOrigins],
          leaseSeconds,
          parkedSeconds,
          window: windowOfClaim,
        },
      );
      return rows;
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
             from attempt group by origin
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
