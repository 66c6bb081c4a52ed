/** Publishes the new states of messages once they are recorded. */
import type { Events } from '../model/events.ts';
import type { ReachedState } from '../model/states.ts';
import { callbackOriginOf } from '../receipts/callback/callback-url.ts';

export interface Listeners {
  events: Events;
  /** Called when receipts were created. */
  onReceipts: () => void;
}

/** Call it after the commit: a state that is rolled back was never reached. */
export function announce(reached: readonly ReachedState[], { events, onReceipts }: Listeners): void {
  for (const one of reached) {
    events.stateReached(one);
    if (one.callbackUrl !== null && callbackOriginOf(one.callbackUrl) === undefined)
      events.receiptImpossible(one.requestId, one.messageId);
  }
  if (reached.some(({ callbackUrl }) => callbackUrl !== null)) onReceipts();
}
