/** Receipts that wait to be posted. A receipt's row is its own job: claimed by time, settled by its outcome. */
import type { Knex } from 'knex';
import { insertQuarantined } from '../../isolation/quarantine-repository.ts';
import { claimText } from './claim.ts';
import { failuresUntilParked, parkedAnew } from './parking.ts';
import { type FreeSlots, newcomerPlaces, type Origin } from './slots.ts';

/** A receipt this process posts now. */
export interface ClaimedReceipt extends Origin {
  /** The webhook-id, the same over all attempts. */
  id: string;
  clientId: string;
  url: string;
  body: string;
  attemptsMade: number;
}

/** What one attempt came to. */
export interface Attempt extends Origin {
  receiptId: string;
  /** For people: the origin that `originKey` stands for. */
  origin: string;
  state: 'Pending' | 'Delivered' | 'Ended' | 'Exhausted';
  /** When `state` is Pending: seconds until the next attempt. */
  delaySeconds: number;
  /** Whether it counts as one of the attempts that a receipt has. */
  counts: boolean;
  status: number | undefined;
  error: string | undefined;
  /** The endpoint answered, and not with an error of its own; null: it was not asked. */
  originWorks: boolean | null;
}

export interface ReceiptRepository {
  /**
   * Claims due receipts: teams take turns, then the origins of each, by chance among equals, each with its oldest
   * first, and none of parked ones. One receipt of an origin whose time is over is the probe: the claim parks the
   * origin again, whoever else may be looking, until the probe succeeds. A claim that is not settled within
   * `leaseSeconds` is due again.
   */
  claim: (free: FreeSlots, leaseSeconds: number) => Promise<ClaimedReceipt[]>;
  settle: (attempts: readonly Attempt[]) => Promise<void>;
  /** Puts a receipt into quarantine that cannot be posted, or whose attempt cannot be recorded. */
  setAside: (receiptId: string, error: unknown) => Promise<void>;
  /** Ends all claims that had no attempt yet: for a process that knows that no other one is at work. */
  reclaim: () => Promise<void>;
}

interface ClaimRow {
  receipts: ClaimedReceipt[] | null;
  /** Teams with more origins than one claim looks at: the last one it saw; null: it saw the end. */
  windows: { teamId: string; after: string | null }[] | null;
  lastTeam: string | null;
}

export function createReceiptRepository(knex: Knex): ReceiptRepository {
  /** Where the next claim goes on: after this team, and after these origins of teams that have very many. */
  let afterTeam = '';
  const cursors = new Map<string, string>();
  return {
    reclaim: async () => {
      await knex.raw(
        `update receipts set next_attempt_at = now() where state = 'Pending' and attempts = 0 and next_attempt_at > now()`,
      );
    },

    claim: async ({ limit, newcomerLimit, teams, origins }, leaseSeconds) => {
      const { rows } = await knex.raw<{ rows: ClaimRow[] }>(claimText, {
        limit,
        newcomerLimit,
        teams: JSON.stringify(teams),
        origins: JSON.stringify(origins),
        cursors: JSON.stringify([...cursors].map(([teamId, after]) => ({ teamId, after }))),
        afterTeam,
        placesOfNewcomer: newcomerPlaces,
        leaseSeconds,
      });
      for (const { teamId, after } of rows[0]?.windows ?? [])
        if (after === null) cursors.delete(teamId);
        else cursors.set(teamId, after);
      afterTeam = rows[0]?.lastTeam ?? '';
      return rows[0]?.receipts ?? [];
    },

    setAside: (receiptId, error) =>
      knex.transaction(async (trx) => {
        await trx.raw(
          `update receipts set state = 'Exhausted', updated_at = now() where id = ?::uuid and state = 'Pending'`,
          [receiptId],
        );
        const item = { round: 'receipt', item: receiptId, messageId: null, payload: { receiptId } } as const;
        await insertQuarantined(trx, item, error);
      }),

    settle: async (attempts) => {
      await knex.raw(
        `with attempt as (
           select * from json_to_recordset(:attempts::json) as a("receiptId" uuid, "teamId" text,
             "originKey" uuid, origin text, state text, "delaySeconds" float8, counts boolean, status integer,
             error text, "originWorks" boolean)
         ), origins as (
           insert into receipt_origins as known (team_id, origin_key, origin, failures_in_a_row, parked_until)
           select team_id, origin_key, origin, failures,
             case when failures >= :failuresUntilParked then ${parkedAnew} end
           from (
             select "teamId" as team_id, "originKey" as origin_key, min(origin) as origin,
               case when bool_or("originWorks") then 0 else count(*) end as failures
             from attempt where "originWorks" is not null group by 1, 2
           ) as outcome
           where failures > 0
             or (team_id, origin_key) in (select team_id, origin_key from receipt_origins)
           order by team_id, origin_key
           on conflict (team_id, origin_key) do update set
             failures_in_a_row = case when excluded.failures_in_a_row > 0
               then known.failures_in_a_row + excluded.failures_in_a_row else 0 end,
             parked_until = case when excluded.failures_in_a_row > 0
               and known.failures_in_a_row + excluded.failures_in_a_row >= :failuresUntilParked
               then ${parkedAnew} end
         )
         update receipts r set
           state = attempt.state,
           attempts = r.attempts + attempt.counts::integer,
           next_attempt_at = now() + attempt."delaySeconds" * interval '1 second',
           last_status = attempt.status,
           last_error = attempt.error,
           updated_at = now()
         from attempt where r.id = attempt."receiptId" and r.state = 'Pending'`,
        { attempts: JSON.stringify(attempts), failuresUntilParked },
      );
    },
  };
}

/** Has a receipt posted that was given up. */
export async function repostReceipt(trx: Knex.Transaction, id: string): Promise<void> {
  await trx.raw(
    `update receipts set state = 'Pending', next_attempt_at = now(), updated_at = now()
     where id = ?::uuid and state = 'Exhausted'`,
    [id],
  );
}
