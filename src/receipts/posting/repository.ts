/** Receipts that wait to be posted. A receipt's row is its own job: claimed by time, settled by its outcome. */
import type { Knex } from 'knex';
import { insertQuarantined } from '../../isolation/quarantine-repository.ts';
import type { OwnedReceipt } from '../owned-receipt.ts';
import type { Attempt } from './attempt.ts';
import { claimText, free } from './claim.ts';
import { type OriginOutcome, settleAttempts } from './settle-repository.ts';
import { type FreeSlots, newcomerPlaces } from './slots.ts';

export interface Claim {
  /** Of each origin, the longest due first. */
  receipts: OwnedReceipt[];
  /** No more than this many of one origin were looked for. */
  mostOfOrigin: number;
}

export interface ReceiptRepository {
  /** Whether there are due receipts that no process has: some may have to wait for their origin all the same. */
  anyDue: () => Promise<boolean>;
  /**
   * Claims due receipts: teams take turns, then the origins of each, by chance among equals, each with its oldest
   * first, and none of parked ones. One receipt of an origin whose time is over is the probe: the claim parks the
   * origin again, whoever else may be looking, until the probe succeeds.
   */
  claim: (free: FreeSlots) => Promise<Claim>;
  /** Records outcomes; returns the changed standing of their origins. */
  settle: (attempts: readonly Attempt[]) => Promise<OriginOutcome[]>;
  /** Releases receipts of this owner unposted, for any process to claim. */
  release: (receiptIds: readonly string[]) => Promise<void>;
  /** The receipts whose rows name this owner. */
  owned: () => Promise<string[]>;
  /** Puts a receipt into quarantine that cannot be posted, or whose attempt cannot be recorded. */
  setAside: (receiptId: string, error: unknown) => Promise<void>;
}

interface ClaimRow {
  receipts: OwnedReceipt[] | null;
  mostOfOrigin: number;
  /** Teams with more origins than one claim looks at: the last one it saw; null: it saw the end. */
  windows: { teamId: string; after: string | null }[] | null;
  lastTeam: string | null;
}

export const anyDueText = `
  select exists(select from receipts where ${free('receipts')} and next_attempt_at <= service_now()) as due`;

/** `owner` names this process in the rows that it has. */
export function createReceiptRepository(knex: Knex, owner: string): ReceiptRepository {
  /** Where the next claim goes on: after this team, and after these origins of teams that have very many. */
  let afterTeam = '';
  const cursors = new Map<string, string>();
  return {
    anyDue: async () => {
      const { rows } = await knex.raw<{ rows: { due: boolean }[] }>(anyDueText);
      return rows[0]?.due ?? false;
    },

    claim: async ({ limit, newcomerLimit, teams, origins }) => {
      const { rows } = await knex.raw<{ rows: ClaimRow[] }>(claimText, {
        limit,
        newcomerLimit,
        teams: JSON.stringify(teams),
        origins: JSON.stringify(origins),
        cursors: JSON.stringify([...cursors].map(([teamId, after]) => ({ teamId, after }))),
        afterTeam,
        placesOfNewcomer: newcomerPlaces,
        owner,
      });
      for (const { teamId, after } of rows[0]?.windows ?? [])
        if (after === null) cursors.delete(teamId);
        else cursors.set(teamId, after);
      afterTeam = rows[0]?.lastTeam ?? '';
      return { receipts: rows[0]?.receipts ?? [], mostOfOrigin: rows[0]?.mostOfOrigin ?? 0 };
    },

    settle: (attempts) => settleAttempts(knex, owner, attempts),

    release: async (receiptIds) => {
      if (receiptIds.length === 0) return;
      await knex.raw(
        `update receipts set owner = null where id = any(array(
           select id from receipts where id = any(:receiptIds::uuid[]) and owner = :owner order by id for update
         ))`,
        { receiptIds: [...receiptIds], owner },
      );
    },

    owned: async () => {
      const { rows } = await knex.raw<{ rows: { id: string }[] }>('select id from receipts where owner = ?', [
        owner,
      ]);
      return rows.map(({ id }) => id);
    },

    setAside: (receiptId, error) =>
      knex.transaction(async (trx) => {
        await trx.raw(
          `update receipts set state = 'Exhausted', owner = null, updated_at = service_now()
           where id = ?::uuid and state = 'Waiting'`,
          [receiptId],
        );
        const item = { round: 'receipt', item: receiptId, messageId: null, payload: { receiptId } } as const;
        await insertQuarantined(trx, item, error);
      }),
  };
}
