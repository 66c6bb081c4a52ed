/** Receipts that wait to be posted. A receipt's row is its own job: claimed by time, settled by its outcome. */
import type { Knex } from 'knex';
import { stateInSecondOrder, stateOfFound } from '../../model/states.ts';
import type { Database } from '../../platform/db/knex.ts';
import { insertQuarantined } from '../../platform/isolation/quarantine-repository.ts';
import type { Attempt } from './attempt.ts';
import { type ClaimedReceipt, claimText, isDue } from './claim.ts';
import { emptyLots, leavingLots, lotIsDue, openLots } from './lot-repository.ts';
import type { OriginOutcome } from './parking.ts';
import { placesOfUntested, type Room } from './places.ts';
import { settleAttempts } from './settle-repository.ts';
import { type UnstoredReceipt, unstored, unstoredColumns, unstoredRow } from './unstored.ts';

export interface ReceiptRepository {
  /** Whether receipts are due: some may have to wait for their origin all the same. */
  anyDue: () => Promise<boolean>;
  /**
   * Claims due receipts for as long as a lease: teams take turns, then the origins of each, by chance among equals,
   * each with its oldest first, and none of parked ones. One receipt of an origin whose time is over is the probe: the
   * claim parks the origin again, whoever else may be looking, until the probe succeeds. Returns the longest due first.
   */
  claim: (room: Room) => Promise<ClaimedReceipt[]>;
  /** Records outcomes; returns the changed standing of their origins. */
  settle: (attempts: readonly Attempt[]) => Promise<OriginOutcome[]>;
  /** Gives back receipts of this process that were not posted, for any process to claim. */
  release: (receipts: readonly ClaimedReceipt[]) => Promise<void>;
  /** Puts a receipt into quarantine that cannot be posted, or whose attempt cannot be recorded. */
  setAside: (receipt: Pick<ClaimedReceipt, 'id' | 'inLot'>, error: unknown) => Promise<void>;
}

interface ClaimRow {
  receipts: ClaimedReceipt[] | null;
  /** Teams with more origins than one claim looks at: the last one it saw; null: it saw the end. */
  windows: { teamId: string; after: string | null }[] | null;
  lastTeam: string | null;
}

export const anyDueText = `
  select exists(select from receipts where ${stateInSecondOrder('receipts')} = 'Waiting' and ${isDue('receipts')}) as due,
    exists(select from receipt_lots where ${lotIsDue}) as lots`;

/** `claimedBy` names this process in the rows that it claims. */
export function createReceiptRepository(knex: Knex, claimedBy: string): ReceiptRepository {
  /** Where the next claim goes on: after this team, and after these origins of teams that have very many. */
  let afterTeam = '';
  const cursors = new Map<string, string>();
  return {
    anyDue: async () => {
      const { rows } = await knex.raw<{ rows: { due: boolean; lots: boolean }[] }>(anyDueText);
      const { due = false, lots = false } = rows[0] ?? {};
      if (lots) await openLots(knex, 'due');
      return due || lots;
    },

    claim: async ({ places, untestedPlaces, teams, origins }) => {
      const { rows } = await knex.raw<{ rows: ClaimRow[] }>(claimText, {
        places,
        untestedPlaces,
        teams: JSON.stringify(teams),
        origins: JSON.stringify(origins),
        cursors: JSON.stringify([...cursors].map(([teamId, after]) => ({ teamId, after }))),
        afterTeam,
        placesOfUntested,
        claimedBy,
      });
      for (const { teamId, after } of rows[0]?.windows ?? [])
        if (after === null) cursors.delete(teamId);
        else cursors.set(teamId, after);
      afterTeam = rows[0]?.lastTeam ?? '';
      return rows[0]?.receipts ?? [];
    },

    settle: (attempts) => settleAttempts(knex, claimedBy, attempts),

    release: async (receipts) => {
      await storeUnposted(knex, receipts);
      const receiptIds = receipts.filter(({ inLot }) => inLot === undefined).map(({ id }) => id);
      if (receiptIds.length === 0) return;
      await knex.raw(
        `update receipts set claimed_by = null, next_attempt_at = service_now(), updated_at = service_now()
         where id = any(array(
           select id from receipts where id = any(:receiptIds::uuid[]) and claimed_by = :claimedBy order by id for update
         ))`,
        { receiptIds, claimedBy },
      );
    },

    setAside: async (receipt, error) => {
      const { id: receiptId } = receipt;
      await storeUnposted(knex, [receipt as ClaimedReceipt]);
      await knex.transaction(async (trx) => {
        await trx.raw(
          `update receipts set state = 'Exhausted', claimed_by = null, updated_at = service_now()
           where id = ?::uuid and ${stateOfFound('receipts')} = 'Waiting'`,
          [receiptId],
        );
        // It may have been the probe: another receipt takes its place at once.
        await trx.raw(
          `update receipt_origins o set parked_until = service_now() from receipts r
           where r.id = ?::uuid and o.team_id = r.team_id and o.origin_key = r.origin_key and o.parked_until is not null`,
          [receiptId],
        );
        const item = { round: 'receipt', item: receiptId, messageId: null, payload: { receiptId } } as const;
        await insertQuarantined(trx, item, error);
      });
    },
  };
}

/** Makes rows of those that have none, which are due at once. */
async function storeUnposted(knex: Knex, receipts: readonly ClaimedReceipt[]): Promise<void> {
  const given = receipts.flatMap((receipt) => unstored(receipt) ?? []);
  if (given.length === 0) return;
  const rows = given.map((receipt: UnstoredReceipt) => ({
    ...unstoredRow(receipt),
    teamId: receipt.teamId,
    originKey: receipt.originKey,
  }));
  await leavingLots(
    given.map(({ inLot }) => inLot),
    (emptied) =>
      knex.raw(
        `with stored as (
           insert into receipts (id, request_id, message_id, team_id, client_id, url, origin_key, body, trace, created_at)
           select "receiptId", "requestId", "messageId", "teamId", "clientId", url, "originKey", body, trace, "createdAt"
           from json_to_recordset(:rows::json)
             as r("receiptId" uuid, "teamId" text, "originKey" uuid, ${unstoredColumns})
           order by "receiptId"
           on conflict (id) do nothing
         ) ${emptyLots(':emptied')}`,
        { rows: JSON.stringify(rows), emptied: [...emptied] },
      ),
  );
}

/**
 * The embedded database serves one process: receipts that are claimed when it starts are those of a process that was
 * killed. Their leases end now.
 */
export async function endReceiptLeases({
  knex,
  embedded,
}: Pick<Database, 'knex' | 'embedded'>): Promise<void> {
  if (!embedded) return;
  await openLots(knex, 'all');
  await knex.raw(
    `update receipts set claimed_by = null, next_attempt_at = service_now(), updated_at = service_now()
     where state = 'Waiting' and claimed_by is not null`,
  );
}
