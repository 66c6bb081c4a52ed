/** Receipts as clients read them, and have them posted again. */
import type { Clock } from '../platform/clock.ts';
import { errors } from '../platform/errors.ts';
import { instantOf } from '../platform/text/instant.ts';
import type { ReceiptFilter, ReceiptPage, StoredAttempt, StoredReceipt } from '../receipts/log-repository.ts';
import type { Replay, Replayed } from '../receipts/resend-repository.ts';
import type { ReadSlice } from './page.ts';
import { requirePeriod } from './period.ts';
import { isUuid } from './uuid.ts';

export interface Receipt {
  /** The webhook-id. */
  receiptId: string;
  /** Of a receipt about a message of the team. */
  requestId?: string;
  /** Of one that posts a message of a phone. */
  inboundMessageId?: string;
  sequence: number;
  callbackUrl: string;
  /** Absent once it is no longer stored. */
  body?: string;
  state: StoredReceipt['state'];
  createdAt: string;
  nextAttemptAt?: string;
  parkedUntil?: string;
  attempts: StoredAttempt[];
}

export interface ReceiptSearch {
  requestId?: string | undefined;
  state?: StoredReceipt['state'] | undefined;
  /** RFC 3339. */
  from?: string | undefined;
  to?: string | undefined;
}

/** The functions of the receipts' repositories, with their database. */
export interface ReceiptLog {
  list: (teamId: string, filter: ReceiptFilter) => Promise<ReceiptPage>;
  find: (teamId: string, id: string) => Promise<StoredReceipt | undefined>;
  /** False when the team has no such receipt. */
  resend: (teamId: string, id: string) => Promise<boolean>;
  replay: (teamId: string, replay: Replay) => Promise<Replayed>;
}

export function readReceipts(
  { list }: Pick<ReceiptLog, 'list'>,
  clock: Clock,
): ReadSlice<ReceiptSearch, Receipt> {
  return async (teamId, { requestId, state, from, to }, after, limit) => {
    requirePeriod(from, to, clock.now());
    const { receipts, next } = await list(teamId, {
      requestId,
      state,
      from: from === undefined ? undefined : instantOf(from),
      to: to === undefined ? undefined : instantOf(to),
      after: after && { createdAt: after[0] ?? '', id: after[1] ?? '' },
      limit,
    });
    return { items: receipts.map(receiptOf), end: next && [next.createdAt, next.id] };
  };
}

/** Rejects with 404 for a receipt that the team does not have. */
export async function getReceipt(
  { find }: Pick<ReceiptLog, 'find'>,
  teamId: string,
  id: string,
): Promise<Receipt> {
  const receipt = isUuid(id) ? await find(teamId, id) : undefined;
  if (receipt === undefined) throw errors.receiptUnknown(id);
  return receiptOf(receipt);
}

/** Rejects with 404 for a receipt that the team does not have. */
export async function resendReceipt(
  { find, resend }: Pick<ReceiptLog, 'find' | 'resend'>,
  teamId: string,
  id: string,
): Promise<Receipt> {
  const receipt = isUuid(id) && (await resend(teamId, id)) ? await find(teamId, id) : undefined;
  if (receipt === undefined) throw errors.receiptUnknown(id);
  return receiptOf(receipt);
}

export function receiptOf({ id, subject, sequence, url, body, ...receipt }: StoredReceipt): Receipt {
  const { state, createdAt, nextAttemptAt, parkedUntil, attempts } = receipt;
  return {
    receiptId: id,
    ...('requestId' in subject ? { requestId: subject.requestId } : subject),
    sequence,
    callbackUrl: url,
    ...(body === '' ? {} : { body }),
    state,
    createdAt: createdAt.toISOString(),
    ...(nextAttemptAt === null ? {} : { nextAttemptAt: nextAttemptAt.toISOString() }),
    ...(parkedUntil === null ? {} : { parkedUntil: parkedUntil.toISOString() }),
    attempts: attempts.map(attemptOf),
  };
}

/** Fields that are not published stay here. */
function attemptOf({ at, latencyMs, status, error, response, nextAttemptAt }: StoredAttempt): StoredAttempt {
  return {
    at,
    latencyMs,
    ...(status === undefined ? {} : { status }),
    ...(error === undefined ? {} : { error }),
    ...(response === undefined ? {} : { response }),
    // As the database writes it.
    ...(nextAttemptAt === undefined ? {} : { nextAttemptAt: new Date(nextAttemptAt).toISOString() }),
  };
}
