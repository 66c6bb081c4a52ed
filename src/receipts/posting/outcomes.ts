/** Records the outcomes of attempts, many in one statement, until the database has stored each of them. */
import { createPause } from '../../platform/concurrency/pause.ts';
import { singleOut } from '../../platform/isolation/single-out.ts';
import type { Attempt } from './attempt.ts';

export interface Outcomes {
  /** Resolves once the attempt is recorded. Rejects with a fault of its data, or when `stop` gave it up. */
  record: (attempt: Attempt) => Promise<void>;
  /** From now on an attempt that the database does not store is given up: its receipt is posted again later. */
  stop: () => void;
}

interface Unrecorded {
  attempt: Attempt;
  resolve: () => void;
  reject: (error: unknown) => void;
}

const mostTogether = 500;
const usualPauses = {
  /** Attempts that end within this time share a statement. */
  gatherMs: 20,
  /** While the database is unreachable, outcomes must not be lost: a delivered receipt would be posted again. */
  retryMs: 1_000,
};

/** `onFault` gets the error of a statement that will be retried. */
export function createOutcomes(
  settle: (attempts: readonly Attempt[]) => Promise<void>,
  onFault: (error: unknown) => void,
  { gatherMs, retryMs } = usualPauses,
): Outcomes {
  const waiting: Unrecorded[] = [];
  let running = false;
  let stopped = false;
  const pause = createPause();
  const rest = async (ms: number) => {
    if (!stopped) await pause.begin(ms);
  };

  const run = async () => {
    running = true;
    while (waiting.length > 0) {
      await rest(gatherMs);
      const batch = new Set(waiting.splice(0, mostTogether));
      try {
        await recordAll(batch, settle);
      } catch (error) {
        // What the batch still has is not recorded.
        if (stopped) for (const { reject } of batch) reject(error);
        else {
          onFault(error);
          waiting.unshift(...batch);
          await rest(retryMs);
        }
      }
    }
    running = false;
  };

  return {
    record: (attempt) => {
      const recorded = new Promise<void>((resolve, reject) => {
        waiting.push({ attempt, resolve, reject });
      });
      if (!running) void run();
      return recorded;
    },
    stop: () => {
      stopped = true;
      pause.end();
    },
  };
}

/** Removes from `batch` what is recorded, and what can never be. */
async function recordAll(
  batch: Set<Unrecorded>,
  settle: (attempts: readonly Attempt[]) => Promise<void>,
): Promise<void> {
  await singleOut(
    [...batch],
    async (some) => {
      await settle(some.map(({ attempt }) => attempt));
      for (const one of some) {
        batch.delete(one);
        one.resolve();
      }
    },
    (one, error) => {
      batch.delete(one);
      one.reject(error);
    },
  );
}
