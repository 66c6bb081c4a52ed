/** Receipts that wait to be posted. A receipt's row is its own job: claimed by time, settled by its outcome. */
import type { Knex } from 'knex';

/** A receipt this process posts now. */
export interface ClaimedReceipt {
  /** The webhook-id, the same over all attempts. */
  id: string;
  clientId: string;
  url: string;
  origin: string;
  body: string;
  attemptsMade: number;
  /** Failures of its origin in a row before this attempt. */
  originFailures: number;
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

/** An origin that fails this often in a row is parked, and then probed with one receipt at a time. */
export const failuresUntilParked = 20;
const parkedSeconds = 60;

export interface ReceiptRepository {
  /**
   * Claims due receipts, at most `perOrigin` of one origin (one, if the origin failed before and is being
   * probed) and none of `busyOrigins` or of parked ones. A claim that is not settled within `leaseSeconds` is
   * due again.
   */
  claim: (options: {
    limit: number;
    perOrigin: number;
    busyOrigins: readonly string[];
    leaseSeconds: number;
  }) => Promise<ClaimedReceipt[]>;
  settle: (attempts: readonly Attempt[]) => Promise<void>;
}

/** Due receipts looked at in one claim, so that a long queue costs no more than a short one. */
const windowOfClaim = 2_000;

export function createReceiptRepository(knex: Knex): ReceiptRepository {
  return {
    claim: async ({ limit, perOrigin, busyOrigins, leaseSeconds }) => {
      const { rows } = await knex.raw<{ rows: ClaimedReceipt[] }>(
        `with due as (
           select r.id, r.origin, r.next_attempt_at from receipts r
           where r.state = 'Pending' and r.next_attempt_at <= now() and r.origin <> all(:busyOrigins::text[])
             and not exists (
               select 1 from receipt_origins o where o.origin = r.origin and o.parked_until > now())
           order by r.next_attempt_at limit :window
         ), ranked as (
           select id, next_attempt_at, coalesce(o.failures_in_a_row, 0) as failures,
             row_number() over (partition by due.origin order by next_attempt_at) as place
           from due left join receipt_origins o on o.origin = due.origin
         ), chosen as (
           select r.id, ranked.failures from ranked join receipts r on r.id = ranked.id
           where place <= case when failures >= :failuresUntilParked then 1 else :perOrigin end
             and r.state = 'Pending' and r.next_attempt_at <= now()
           order by ranked.next_attempt_at limit :limit for update of r skip locked
         )
         update receipts r set next_attempt_at = now() + :leaseSeconds * interval '1 second'
         from chosen where r.id = chosen.id
         returning r.id, r.client_id as "clientId", r.url, r.origin, r.body, r.attempts as "attemptsMade",
           chosen.failures as "originFailures"`,
        {
          limit,
          perOrigin,
          busyOrigins: [...busyOrigins],
          leaseSeconds,
          failuresUntilParked,
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
           insert into receipt_origins as known (origin, failures_in_a_row)
           select origin, case when bool_or("originWorks") then 0 else count(*) end
           from attempt group by origin
           having not bool_or("originWorks") or origin in (select origin from receipt_origins)
           order by origin
           on conflict (origin) do update set
             failures_in_a_row = case when excluded.failures_in_a_row = 0 then 0
               else known.failures_in_a_row + excluded.failures_in_a_row end,
             parked_until = case when excluded.failures_in_a_row > 0
               and known.failures_in_a_row + excluded.failures_in_a_row >= :failuresUntilParked
               then now() + :parkedSeconds * interval '1 second' end
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
