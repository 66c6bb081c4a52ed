/** Remembers what a connector reported of its network: the last throttling and the last error. */
import type { Clock, Stopwatch } from '../../platform/clock.ts';
import type { SeenTrouble } from '../contract/connector.ts';
import type { Trouble } from '../contract/kind.ts';
import { cleanReason } from '../contract/network-text.ts';

/** How long a connector counts as throttled after its network asked for fewer messages. */
const throttledMs = 60_000;

export interface TroubleLog extends Trouble {
  seen: () => SeenTrouble;
}

export function createTroubleLog(clock: Clock & Stopwatch): TroubleLog {
  let throttledUntilMs = Number.NEGATIVE_INFINITY;
  let lastError: SeenTrouble['lastError'] = null;
  return {
    throttled: () => {
      throttledUntilMs = clock.elapsedMs() + throttledMs;
    },
    failed: (reason) => {
      lastError = { at: new Date(clock.now()), reason: cleanReason(reason) };
    },
    seen: () => ({ throttled: clock.elapsedMs() < throttledUntilMs, lastError }),
  };
}
