/**
 * Receipts that a process posts at once are stored together, as a lot, with the states that they tell of. Each becomes a row
 * of `receipts` with the outcome of its first attempt: written once, not twice. What the process leaves becomes a row when
 * the lease of its lot is over.
 */
import type { Knex } from 'knex';
import { runStatement } from '../../platform/db/statement.ts';

/** A receipt as it is stored in its lot. */
export interface LotReceipt {
  id: string;
  request_id: string;
  message_id: string;
  team_id: string;
  client_id: string;
  url: string;
  origin_key: string;
  body: string;
  trace: string | null;
}

export interface Lot {
  id: string;
  /** As the database writes it. */
  createdAt: string;
  /** Its receipts without a row of their own, as far as this process knows. */
  left: number;
}

/** What a receipt has that is in a lot still. */
export interface InLot {
  lot: Lot;
  requestId: string;
  messageId: string;
}

export async function insertLot(
  trx: Knex.Transaction,
  { claimedBy, leaseSeconds }: { claimedBy: string; leaseSeconds: number },
  receipts: readonly LotReceipt[],
): Promise<Lot> {
  const stored = await runStatement<Omit<Lot, 'left'>>(trx, {
    name: 'insert lot',
    text: `insert into receipt_lots (claimed_by, leased_until, receipts)
      values ($1, service_clock() + $3 * interval '1 second', $2) returning id, created_at::text as "createdAt"`,
    values: [claimedBy, JSON.stringify(receipts), leaseSeconds],
  });
  return { id: '', createdAt: '', ...stored[0], left: receipts.length };
}

const goneLots = (which: string) => `
  delete from receipt_lots where id = any(array(select id from receipt_lots where ${which}))`;

/** SQL: `lotIds` are those of which nothing is left. One that is locked is being opened, or its rows are being made. */
export const emptyLots = (lotIds: string) => goneLots(`id = any(${lotIds}::bigint[]) for update skip locked`);

export const lotIsDue = 'leased_until <= service_now()';
const lotsTogether = 20;

const lotsToOpen = {
  due: `${lotIsDue} order by id limit ${lotsTogether} for update skip locked`,
  all: 'true order by id for update',
};

/** Makes rows of what is in lots; those that have one already keep it. After `all`, every receipt has a row. */
export async function openLots(knex: Knex, which: 'due' | 'all'): Promise<void> {
  await knex.raw(
    `with gone as (${goneLots(lotsToOpen[which])} returning *)
     insert into receipts (id, request_id, message_id, team_id, client_id, url, origin_key, body, trace, claimed_by,
       next_attempt_at, created_at)
     select r.*, gone.claimed_by, gone.leased_until, gone.created_at
     from gone, jsonb_to_recordset(gone.receipts) as r(id uuid, request_id uuid, message_id bigint, team_id text,
       client_id text, url text, origin_key uuid, body text, trace text)
     order by r.id
     on conflict (id) do nothing`,
  );
}

/** Calls `store` with the ids of the lots that it empties. */
export async function leavingLots<Result>(
  leaving: readonly InLot[],
  store: (emptied: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const counts = new Map<Lot, number>();
  for (const { lot } of leaving) counts.set(lot, (counts.get(lot) ?? 0) + 1);
  const result = await store([...counts].flatMap(([lot, count]) => (lot.left === count ? [lot.id] : [])));
  for (const [lot, count] of counts) lot.left -= count;
  return result;
}
