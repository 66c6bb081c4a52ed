/** Creates receipts, in the transaction that records the states that messages reached, or stores a message of a phone. */
import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { isAddress } from '../model/address.ts';
import type { Product } from '../model/plan.ts';
import { isFinal, type ReachedState } from '../model/states.ts';
import { runStatement } from '../platform/db/statement.ts';
import { orItemFault } from '../platform/isolation/fault.ts';
import { callbackOriginOf } from './callback/callback-url.ts';
import { type ClaimedReceipt, leaseSeconds, type Origin } from './posting/claim.ts';

/** The body of a receipt, by product. */
export type ReceiptBodies = { [P in Product]: (reached: ReachedState) => object };

/** The poster of this process. What it has room for is leased to it by the statement that creates it. */
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
  /** Before its lease began, by the poster's stopwatch. */
  claimedMs: number;
}

/**
 * A URL that cannot be called gets no receipt: it must not affect the receipts of others. `announce` counts it. Returns
 * those that are leased to `poster`. It is given them after the commit; if it never is, they are due when
 * their lease is over.
 */
export async function insertReceipts(
  trx: Knex.Transaction,
  reached: readonly ReachedState[],
  bodies: ReceiptBodies,
  poster?: OwnPoster,
): Promise<Map<ReachedState, LeasedReceipt>> {
  const claimedMs = poster?.elapsedMs() ?? 0;
  const taken = new Map<string, number>();
  const leased = new Map<ReachedState, LeasedReceipt>();
  /** The only one of its message: no other receipt waits until the first attempt at it has begun. */
  const lease = (message: ReachedState, receipt: ClaimedReceipt) => {
    if (poster === undefined || message.sequence > 1 || !isFinal(message.product, message.state)) return null;
    const origin = `${receipt.originKey} ${receipt.teamId}`;
    const before = taken.get(origin) ?? 0;
    if (before >= poster.leasable(receipt)) return null;
    taken.set(origin, before + 1);
    leased.set(message, { ...receipt, claimedMs });
    return poster.claimedBy;
  };
  const rows = reached.flatMap((message) => {
    const { callbackUrl: url, requestId, messageId, sequence, teamId, clientId, product, trace } = message;
    const callback = url === null ? undefined : callbackOriginOf(url);
    // Numbers that are no longer stored get no receipts.
    if (url === null || callback === undefined || !isAddress(message.phone)) return [];
    const body = orItemFault('the receipt cannot be written', () => JSON.stringify(bodies[product](message)));
    const id = randomUUID();
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
    return {
      id,
      request_id: requestId,
      message_id: messageId,
      sequence,
      team_id: teamId,
      client_id: clientId,
      url,
      origin_key: callback.originKey,
      body,
      trace,
      claimed_by: lease(message, receipt),
    };
  });
  await insertRows(trx, rows);
  return leased;
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
      ...{ origin_key: callback.originKey, body: JSON.stringify(body), trace, claimed_by: null },
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
  claimed_by: string | null;
}

async function insertRows(trx: Knex.Transaction, rows: readonly ReceiptRow[]): Promise<void> {
  if (rows.length === 0) return;
  await runStatement(trx, {
    name: 'insert receipts',
    text: `insert into receipts (id, request_id, message_id, sequence, team_id, client_id, url, origin_key, body,
       trace, claimed_by, next_attempt_at)
     select *, case when claimed_by is null then service_now() else service_clock() + interval '${leaseSeconds} s' end
     from json_to_recordset($1::json) as r(id uuid, request_id uuid, message_id bigint, sequence smallint,
       team_id text, client_id text, url text, origin_key uuid, body text, trace text, claimed_by uuid)`,
    values: [JSON.stringify(rows)],
  });
}
