/** A claimed receipt that is in a lot still, and has no row of its own. */
import type { ClaimedReceipt } from './claim.ts';
import type { InLot } from './lot-repository.ts';

export type UnstoredReceipt = ClaimedReceipt & { inLot: InLot };

export function unstored(receipt: ClaimedReceipt): UnstoredReceipt | undefined {
  return receipt.inLot === undefined ? undefined : (receipt as UnstoredReceipt);
}

/** What its row has from the beginning, by the names of `unstoredColumns`. */
export function unstoredRow({ id, clientId, url, body, trace, inLot }: UnstoredReceipt) {
  const { lot, requestId, messageId } = inLot;
  return { receiptId: id, clientId, url, body, trace, requestId, messageId, createdAt: lot.createdAt };
}

/** SQL, of a JSON record set. */
export const unstoredColumns = `"clientId" text, url text, body text, trace text, "requestId" uuid, "messageId" bigint,
  "createdAt" timestamptz`;
