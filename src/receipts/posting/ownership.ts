/** Shows other processes that this one is there, and finds out which of them are gone. */
import type { Stopwatch } from '../../clock.ts';
import type { Beats, OwnerRepository } from './owner-repository.ts';

export interface Ownership {
  /** Shows this process; frees the receipts of those that have not shown themselves for long. */
  beat: () => Promise<void>;
  /** Whether others know that this process is there: it may own receipts. */
  holds: () => boolean;
  /** Gives back all that it owns. */
  end: () => Promise<void>;
}

/** A beat may be late by a pause of the process or of the database. */
const goneMs = 30_000;
/** It stops taking receipts before others can think that it is gone. */
const holdsMs = 20_000;

/**
 * Beats are counted and not timed: clocks of machines differ, and may be set back or forward. `alone`: no other
 * process uses the database, so no beats are needed.
 */
export async function startOwnership(
  repository: OwnerRepository,
  stopwatch: Stopwatch,
  alone: boolean,
): Promise<Ownership> {
  const others = new Map<string, { beats: number; sinceMs: number }>();
  let shownMs = Number.NEGATIVE_INFINITY;

  const look = (seen: readonly Beats[], nowMs: number): Beats[] => {
    const ids = new Set(seen.map(({ id }) => id));
    for (const id of others.keys()) if (!ids.has(id)) others.delete(id);
    return seen.filter(({ id, beats }) => {
      const known = others.get(id);
      if (known?.beats === beats) return nowMs - known.sinceMs >= goneMs;
      others.set(id, { beats, sinceMs: nowMs });
      return false;
    });
  };
  const show = async () => {
    const nowMs = stopwatch.elapsedMs();
    const gone = look(await repository.beat(), nowMs);
    shownMs = nowMs;
    if (gone.length === 0) return;
    await repository.forget(gone);
    await repository.releaseOrphans();
  };

  if (!alone) await show();
  // Receipts recorded for a process after it was removed from the list; for a process that is alone, all receipts.
  await repository.releaseOrphans();
  return {
    beat: async () => {
      if (!alone) await show();
    },
    holds: () => alone || stopwatch.elapsedMs() - shownMs < holdsMs,
    end: repository.leave,
  };
}
