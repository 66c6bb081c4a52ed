/** Publishes the new states of messages once they are recorded. */
import type { Events } from '../model/events.ts';
import { callbackOriginOf } from '../receipts/callback/callback-url.ts';
import type { LeasedReceipt } from '../receipts/insert-repository.ts';
import type { RecordedState } from '../receipts/record.ts';

export interface Listeners {
  events: Events;
  /** Called when receipts were created: those that this process has a lease on, and whether others wait to be claimed. */
  onReceipts: (leased: readonly LeasedReceipt[], others: boolean) => void;
}

/** Call it after the commit: a state that is rolled back was never reached. */
export function announce(reached: readonly RecordedState[], { events, onReceipts }: Listeners): void {
  for (const one of reached) {
    events.stateReached(one);
    if (one.callbackUrl !== null && callbackOriginOf(one.callbackUrl) === undefined)
      events.receiptImpossible(one.requestId, one.messageId);
  }
  const created = reached.filter(({ callbackUrl }) => callbackUrl !== null);
  const leased = created.flatMap((one) => one.leased ?? []);
  if (created.length > 0) onReceipts(leased, leased.length < created.length);
}
