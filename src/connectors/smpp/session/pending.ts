/** The requests of one link that wait for their responses, each no longer than the response time-out. */
import type { Timers } from './timers.ts';

export interface Pending<Answer> {
  /** Returns the sequence number that the request goes out with, from 1 to 0x7FFFFFFF (SMPP 3.4 section 5.1.4). */
  add: (onAnswer: (answer: Answer | undefined) => void) => number;
  /** False if it has no pending request: it is late, or was never requested. */
  answer: (sequence: number, answer: Answer) => boolean;
  /** Tells all pending requests that no response will come. */
  giveUp: () => void;
  count: () => number;
}

interface Waiting<Answer> {
  dueMs: number;
  onAnswer: (answer: Answer | undefined) => void;
}

/** `sequences`: how many sequence numbers there are. */
export function createPending<Answer>(
  timers: Timers,
  timeoutMs: number,
  sequences = 0x7fff_ffff,
): Pending<Answer> {
  // A ring, not a Map: the tables that a Map leaves behind as it turns over keep all that was in them from the
  // young collector, which costs more than the rest of a request.
  let ring: (Waiting<Answer> | undefined)[] = new Array(128).fill(undefined);
  /** The requests from `first` to before `next` may wait; they count from 0 and never start again. */
  let first = 0;
  let next = 0;
  let count = 0;
  let cancelTimer: (() => void) | undefined;

  const placeOf = (request: number) => request % ring.length;

  const grow = () => {
    const bigger: typeof ring = new Array(ring.length * 2).fill(undefined);
    for (let request = first; request < next; request += 1)
      bigger[request % bigger.length] = ring[placeOf(request)];
    ring = bigger;
  };

  const take = (request: number): Waiting<Answer> | undefined => {
    const waiting = ring[placeOf(request)];
    if (waiting === undefined) return undefined;
    ring[placeOf(request)] = undefined;
    count -= 1;
    while (first < next && ring[placeOf(first)] === undefined) first += 1;
    return waiting;
  };

  // All wait equally long, so the first one in is the first one due: one timer serves all.
  const expire = () => {
    cancelTimer = undefined;
    const nowMs = timers.now();
    while (first < next) {
      const dueMs = ring[placeOf(first)]?.dueMs ?? nowMs;
      if (dueMs > nowMs) {
        cancelTimer = timers.after(dueMs - nowMs, expire);
        return;
      }
      take(first)?.onAnswer(undefined);
    }
  };

  return {
    add: (onAnswer) => {
      if (next - first === ring.length) grow();
      ring[placeOf(next)] = { dueMs: timers.now() + timeoutMs, onAnswer };
      count += 1;
      next += 1;
      cancelTimer ??= timers.after(timeoutMs, expire);
      return ((next - 1) % sequences) + 1;
    },
    answer: (sequence, answer) => {
      const last = (next - 1) % sequences;
      const request = next - 1 - ((last - (sequence - 1) + sequences) % sequences);
      const waiting = request >= first && request < next ? take(request) : undefined;
      waiting?.onAnswer(answer);
      return waiting !== undefined;
    },
    giveUp: () => {
      cancelTimer?.();
      cancelTimer = undefined;
      while (first < next) take(first)?.onAnswer(undefined);
    },
    count: () => count,
  };
}
