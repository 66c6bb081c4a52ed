/** A sliding window over the messages of one team and operation: pure arithmetic on a ring of buckets. */

/**
 * 950 ms, not a second: a client that sends its full share at each full second, some milliseconds early or late, is
 * never rejected.
 */
export const windowMs = 950;
const bucketMs = 10;
const bucketCount = windowMs / bucketMs;
/** A clock that is behind the newest bucket by more was set back. */
const toleratedBuckets = 1_000 / bucketMs;

export interface Window {
  /** Messages per bucket; the bucket of a moment is its number modulo the ring's length. */
  buckets: Uint32Array;
  /** Number of the newest bucket that was counted in. */
  newest: number;
  /** Sum over the ring. */
  total: number;
}

export function emptyWindow(): Window {
  return { buckets: new Uint32Array(bucketCount), newest: 0, total: 0 };
}

/**
 * Counts `messages` in, whole or not at all. Returns 0 when they were counted, else the milliseconds after
 * which enough of the window will have passed for them.
 */
export function countIn(window: Window, messages: number, limit: number, nowMs: number): number {
  const current = advance(window, nowMs);
  if (window.total + messages <= limit) {
    add(window, current, messages);
    return 0;
  }
  let freed = 0;
  for (let age = bucketCount - 1; age >= 0; age -= 1) {
    freed += window.buckets[slot(current - age)] ?? 0;
    if (window.total - freed + messages <= limit)
      return (current - age + bucketCount) * bucketMs - Math.floor(nowMs);
  }
  return windowMs;
}

/** Undoes what `countIn` counted at `atMs`, for a request that was rejected later on. */
export function takeBack(window: Window, messages: number, atMs: number, nowMs: number): void {
  const current = advance(window, nowMs);
  const bucket = Math.floor(atMs / bucketMs);
  if (bucket <= current - bucketCount || bucket > current) return;
  const counted = window.buckets[slot(bucket)] ?? 0;
  add(window, bucket, -Math.min(counted, messages));
}

/** How many messages the window has counted that are still in it. */
export function countedIn(window: Window, nowMs: number): number {
  advance(window, nowMs);
  return window.total;
}

/** Empties the buckets that have left the window; returns the current bucket's number. */
function advance(window: Window, nowMs: number): number {
  const now = Math.floor(nowMs / bucketMs);
  if (window.newest > now + toleratedBuckets) {
    // Waiting for the clock to catch up would block callers for as long as it was set back.
    window.buckets.fill(0);
    window.total = 0;
    window.newest = now;
  }
  const current = Math.max(window.newest, now);
  const steps = Math.min(current - window.newest, bucketCount);
  for (let step = 0; step < steps; step += 1) {
    const index = slot(current - step);
    window.total -= window.buckets[index] ?? 0;
    window.buckets[index] = 0;
  }
  window.newest = current;
  return current;
}

function add(window: Window, bucket: number, messages: number): void {
  const index = slot(bucket);
  window.buckets[index] = (window.buckets[index] ?? 0) + messages;
  window.total += messages;
}

function slot(bucket: number): number {
  return ((bucket % bucketCount) + bucketCount) % bucketCount;
}
