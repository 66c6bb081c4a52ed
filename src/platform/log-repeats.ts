/** Keeps a repeating fault from flooding the log: it is written once, then once a minute with a count. */

/** Repeats of a line within this time are counted. */
const repeatsWindowMs = 60_000;
/** With more different lines in one window, the others are written as they come. */
const mostLines = 1_000;

export interface Repeats {
  /** Whether the line with this key is to be written now. `write` gets the count when later ones were held back. */
  allow: (key: string, write: (repeated: number) => void) => boolean;
  /** Writes the counts so far. */
  flush: () => void;
}

/** `later` runs a function after some milliseconds, unless the process has ended by then. */
export function createRepeats(later: (ms: number, run: () => void) => void = afterMs): Repeats {
  const open = new Map<string, { repeated: number; write: (repeated: number) => void }>();

  const endWindow = (key: string) => {
    const line = open.get(key);
    if (line === undefined || line.repeated === 0) {
      open.delete(key);
      return;
    }
    line.write(line.repeated);
    line.repeated = 0;
    later(repeatsWindowMs, () => endWindow(key));
  };

  return {
    allow: (key, write) => {
      const line = open.get(key);
      if (line !== undefined) {
        line.repeated += 1;
        line.write = write;
        return false;
      }
      if (open.size < mostLines) {
        open.set(key, { repeated: 0, write });
        later(repeatsWindowMs, () => endWindow(key));
      }
      return true;
    },
    flush: () => {
      for (const line of open.values()) {
        if (line.repeated > 0) line.write(line.repeated);
        line.repeated = 0;
      }
    },
  };
}

function afterMs(ms: number, run: () => void): void {
  setTimeout(run, ms).unref();
}
