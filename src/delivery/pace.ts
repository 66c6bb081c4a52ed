/** Decides when background loops look for work again: often while something happens, and rarely while nothing does. */
import type { Logger } from 'pino';

export interface Pace {
  /** Called when something happened that may lead to work. */
  touch: () => void;
  /** Calls `look` after that many milliseconds, or later while nothing happens. The returned function cancels it. */
  after: (ms: number, look: () => void) => () => void;
}

/** For a database that other processes write to as well: this process cannot know when. */
export const steadyPace: Pace = {
  touch: () => {},
  after: (ms, look) => {
    const timer = setTimeout(look, ms);
    return () => clearTimeout(timer);
  },
};

export interface QuietOptions {
  /** How long nothing must happen before it is quiet. */
  quietAfterMs: number;
  /** Even then loops look this often: a mistake here must cost only time. */
  longestMs: number;
  /** Milliseconds until the first thing that waits for its time; undefined: there is none. */
  untilDue: () => Promise<number | undefined>;
  logger: Logger;
}

/**
 * For a database that only this process uses. While it is quiet, loops sleep until something happens or the next
 * thing is due, so that an idle service hardly queries its database.
 */
export function createQuietPace({ quietAfterMs, longestMs, untilDue, logger }: QuietOptions): Pace {
  const sleepers = new Set<() => void>();
  let touchedMs = performance.now();
  let alarm: NodeJS.Timeout | undefined;
  /** Grows with every event that outdates an alarm that is being computed. */
  let turn = 0;

  const wakeAll = () => {
    turn += 1;
    clearTimeout(alarm);
    alarm = undefined;
    const looks = [...sleepers];
    sleepers.clear();
    for (const look of looks) look();
  };
  const touch = () => {
    touchedMs = performance.now();
    if (sleepers.size > 0) wakeAll();
  };
  const setAlarm = async () => {
    turn += 1;
    const own = turn;
    const dueMs = await untilDue().catch((error: unknown) => {
      logger.error({ err: error }, 'cannot tell when work is due; looking for it now');
      return 0;
    });
    if (own !== turn) return;
    if (dueMs !== undefined && dueMs <= 0) wakeAll();
    else if (dueMs !== undefined && dueMs < longestMs) alarm = setTimeout(touch, dueMs);
    else alarm = setTimeout(wakeAll, longestMs);
  };

  return {
    touch,
    after: (ms, look) => {
      const timer = setTimeout(() => {
        if (performance.now() - touchedMs < quietAfterMs) return look();
        sleepers.add(look);
        if (sleepers.size === 1) void setAlarm();
      }, ms);
      return () => {
        clearTimeout(timer);
        sleepers.delete(look);
        if (sleepers.size > 0) return;
        turn += 1;
        clearTimeout(alarm);
      };
    },
  };
}
