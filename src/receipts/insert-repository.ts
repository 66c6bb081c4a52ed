/** Creates receipts, in the transaction that records the states that messages reached, or stores a message of a phone. */
import type { Knex } from 'knex';
import { isAddress } from '../model/address.ts';
import type { Product } from '../model/plan.ts';
import { rulesOf } from '../model/products.ts';
import { isFinal, type ReachedState } from '../model/states.ts';
import { runStatement } from '../platform/db/statement.ts';
import { orItemFault } from '../platform/isolation/fault.ts';
import { newTimedId } from '../platform/timed-id.ts';
import { callbackOriginOf } from './callback/callback-url.ts';
import { type ClaimedReceipt, leaseSeconds, type Origin } from './posting/claim.ts';
import { type InLot, insertLot, type LotReceipt } from './posting/lot-repository.ts';

/** The body of a receipt, by product. */
export type ReceiptBodies = { [P in Product]: (reached: ReachedState) => object };

/** The poster of this process. What it has room for is leased to it with the state that it tells of. */
export interface OwnPoster {
  /** Names it in the rows that it has claimed. */
  claimedBy: string;
  /** How many more receipts of an origin it has room for. */
  leasable: (origin: Origin) => number;
  /** By its stopwatch. */
  elapsedMs: () => number;
}

/** A receipt that its poster has a lease on from the moment it was created. */
export interface LeasedReceipt extends ClaimedReceipt {
  inLot: InLot;
  /** Before its lease began, by the poster's stopwatch. */
  claimedMs: number;
}

/**
 * A URL that cannot be called gets no receipt: it must not affect the receipts of others. `announce` counts it. Returns
 * those that are leased to `poster`, which have no row yet. It is given them after the commit; if it never is, they are due
 * when their lease is over.
 */
export async function insertReceipts(
  trx: Knex.Transaction,
  reached: readonly ReachedState[],
  bodies: ReceiptBodies,
  poster?: OwnPoster,
): Promise<Map<ReachedState, LeasedReceipt>> {
  const claimedMs = poster?.elapsedMs() ?? 0;
  const taken = new Map<string, number>();
  const leased = new Map<ReachedState, { receipt: ClaimedReceipt; row: LotReceipt }>();
  const leasable = (message: ReachedState, receipt: ClaimedReceipt) => {
    if (poster === undefined || !isOnly(message)) return false;
    const origin = `${receipt.originKey} ${receipt.teamId}`;
    const before = taken.get(origin) ?? 0;
    if (before >= poster.leasable(receipt)) return false;
    taken.set(origin, before + 1);
    return true;
  };
  const rows = reached.flatMap((message) => {
    const { callbackUrl: url, requestId, messageId, sequence, teamId, clientId, product, trace } = message;
    const callback = url === null ? undefined : callbackOriginOf(url);
    // Numbers that are no longer stored get no receipts.
    if (url === null || callback === undefined || !isAddress(message.phone)) return [];
    const body = orItemFault('the receipt cannot be written', () => JSON.stringify(bodies[product](message)));
    const id = newTimedId();
    const receipt = {
      id,
      teamId,
      clientId,
      url,
      originKey: callback.originKey,
      body,
      trace,
      attemptsMade: 0,
    };
    const row = {
      id,
      request_id: requestId,
      message_id: messageId,
      team_id: teamId,
      client_id: clientId,
      url,
      origin_key: callback.originKey,
      body,
      trace,
    };
    if (!leasable(message, receipt)) return { ...row, sequence };
    leased.set(message, { receipt, row });
    return [];
  });
  await insertRows(trx, rows);
  if (poster === undefined || leased.size === 0) return new Map();
  const lot = await insertLot(
    trx,
    { claimedBy: poster.claimedBy, leaseSeconds },
    [...leased.values()].map(({ row }) => row),
  );
  return new Map(
    [...leased].map(([message, { receipt }]) => {
      const { requestId, messageId } = message;
      return [message, { ...receipt, claimedMs, inLot: { lot, requestId, messageId } }];
    }),
  );
}

/** The only receipt of its message: no other one waits until the first attempt at it has begun. */
function isOnly({ product, state, sequence }: ReachedState): boolean {
  return sequence === 1 && isFinal(product, state) && !rulesOf(product).refundedAfterSubmission;
}

/** A message of a phone, and where it is posted. */
export interface InboundPost {
  /** Of the message; the webhook-id. */
  id: string;
  teamId: string;
  /** Whose secrets sign it. */
  clientId: string;
  url: string;
  body: object;
  /** Null: it has none. */
  trace: string | null;
}

/** The same for messages of phones; returns how many are posted. */
export async function insertInboundPosts(
  trx: Knex.Transaction,
  messages: readonly InboundPost[],
): Promise<number> {
  const rows = messages.flatMap(({ id, teamId, clientId, url, body, trace }) => {
    const callback = callbackOriginOf(url);
    if (callback === undefined) return [];
    return {
      ...{ id, request_id: null, message_id: null, sequence: 1, team_id: teamId, client_id: clientId, url },
      ...{ origin_key: callback.originKey, body: JSON.stringify(body), trace },
    };
  });
  await insertRows(trx, rows);
  return rows.length;
}

interface ReceiptRow {
  id: string;
  request_id: string | null;
  message_id: string | null;
  sequence: number;
  team_id: string;
  client_id: string;
  url: string;
  origin_key: string;
  body: string;
  trace: string | null;
}

async function insertRows(trx: Knex.Transaction, rows: readonly ReceiptRow[]): Promise<void> {
  if (rows.length === 0) return;
  await runStatement(trx, {
    name: 'insert receipts',
    text: `insert into receipts (id, request_id, message_id, sequence, team_id, client_id, url, origin_key, body,
       trace)
     select * from json_to_recordset($1::json) as r(id uuid, request_id uuid, message_id bigint, sequence smallint,
       team_id text, client_id text, url text, origin_key uuid, body text, trace text)`,
    values: [JSON.stringify(rows)],
  });
}
