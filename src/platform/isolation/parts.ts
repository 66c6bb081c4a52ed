/** Keeps a part of periodic work that fails from holding up the others: it rests, longer each time, and is logged once. */
import type { Logger } from 'pino';
import type { Stopwatch } from '../clock.ts';
import { isDatabaseAway } from '../errors/database-away.ts';
import { reasonOf } from './fault.ts';

/** Independent parts of one chore, such as what it does for each team, by their keys. */
export interface Parts {
  /** Keys of those that rest now. */
  resting: () => string[];
  /** Runs a part; false if it fails. Rejects only when the database is away, which is no part's fault. */
  run: (key: string, work: () => Promise<boolean>) => Promise<boolean>;
}

const shortestRestMs = 60_000;
const longestRestMs = 3_600_000;

interface Failure {
  reason: string;
  restMs: number;
  untilMs: number;
}

export function createParts(chore: string, logger: Logger, clock: Stopwatch): Parts {
  const failures = new Map<string, Failure>();

  const note = (key: string, error: unknown) => {
    const before = failures.get(key);
    const reason = reasonOf(error);
    if (before?.reason !== reason)
      logger.error(
        { err: error, chore, part: key },
        'part of a housekeeping chore failed; the others go on, and it runs again later',
      );
    const restMs = Math.min(longestRestMs, before === undefined ? shortestRestMs : before.restMs * 2);
    failures.set(key, { reason, restMs, untilMs: clock.elapsedMs() + restMs });
  };

  return {
    resting: () => [...failures].filter(([, { untilMs }]) => untilMs > clock.elapsedMs()).map(([key]) => key),
    run: async (key, work) => {
      try {
        const more = await work();
        if (failures.delete(key))
          logger.info({ chore, part: key }, 'part of a housekeeping chore works again');
        return more;
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        note(key, error);
        return false;
      }
    },
  };
}

/** Lets a part's failure end the work, for callers that run it once. */
export const withoutRest: Parts = { resting: () => [], run: (_key, work) => work() };
