/** Replaces queries to a network that does not support them: waits for a status, then decides without one. */
import type { Stopwatch } from '../../platform/clock.ts';
import { createExpiringMap } from '../../platform/concurrency/expiring-map.ts';
import type { Connector, QueryResult } from '../contract/connector.ts';

const mostRemembered = 50_000;
const memoryMs = 3_600_000;

/**
 * A message that did arrive soon gets a status by the webhook, and is not queried again. One without a status for
 * `waitSeconds` counts as unknown to the network.
 */
export function createStatusWait(waitSeconds: number, clock: Stopwatch): NonNullable<Connector['ask']> {
  // In this process's memory: after a restart the wait begins again, so a message is late rather than duplicated.
  const endsMs = createExpiringMap<number>(mostRemembered, clock);
  return async (messages) =>
    messages.map(({ id }): QueryResult => {
      const known = endsMs.get(id);
      const endMs = known ?? clock.elapsedMs() + waitSeconds * 1000;
      if (known === undefined) endsMs.set(id, endMs, waitSeconds * 1000 + memoryMs);
      const delaySeconds = Math.ceil((endMs - clock.elapsedMs()) / 1000);
      if (delaySeconds > 0) return { kind: 'unclear', delaySeconds };
      endsMs.drop(id, endMs);
      return { kind: 'unknown', waited: true };
    });
}
