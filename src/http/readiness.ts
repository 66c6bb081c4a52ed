/** Decides whether this process could serve a request now. */
import type { Stopwatch } from '../platform/clock.ts';

export type UnavailableReason = 'starting' | 'stopping' | 'database' | 'overloaded';

export interface Readiness {
  /** Undefined: ready. Takes two seconds at most, and costs nothing more often than once a second. */
  check: () => Promise<UnavailableReason | undefined>;
  /** From now on `probe` decides; when it rejects, the reason is the database. */
  started: (probe: () => Promise<UnavailableReason | undefined>) => void;
  stopping: () => void;
}

const lifetimeMs = 1_000;
const patienceMs = 2_000;

export function createReadiness(clock: Stopwatch): Readiness {
  let phase: 'starting' | 'stopping' | undefined = 'starting';
  let probe: () => Promise<UnavailableReason | undefined> = async () => undefined;
  // A database that does not respond gets no second probe meanwhile.
  let running: Promise<UnavailableReason | undefined> | undefined;
  let known: { reason: UnavailableReason | undefined; untilMs: number } | undefined;

  const ask = () => {
    running ??= probe()
      .catch(() => 'database' as const)
      .finally(() => {
        running = undefined;
      });
    return running;
  };

  return {
    check: async () => {
      if (phase !== undefined) return phase;
      if (known === undefined || clock.elapsedMs() >= known.untilMs) {
        const reason = await withinPatience(ask());
        known = { reason, untilMs: clock.elapsedMs() + lifetimeMs };
      }
      return phase ?? known.reason;
    },
    started: (by) => {
      probe = by;
      if (phase === 'starting') phase = undefined;
    },
    stopping: () => {
      phase = 'stopping';
    },
  };
}

function withinPatience(
  answer: Promise<UnavailableReason | undefined>,
): Promise<UnavailableReason | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('database'), patienceMs);
    void answer.then((reason) => {
      clearTimeout(timer);
      resolve(reason);
    });
  });
}
