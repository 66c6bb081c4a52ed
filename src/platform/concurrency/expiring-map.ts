/** A map in memory whose entries expire and whose size is bounded. */
import type { Stopwatch } from '../clock.ts';

export interface ExpiringMap<Value> {
  /** Undefined when there is none or it has expired. */
  get(key: string): Value | undefined;
  /** Keeps `value` for `lifetimeMs` from now; the oldest entry makes room for it. */
  set(key: string, value: Value, lifetimeMs: number): void;
  /** Deletes `key` if it still holds `value`. */
  drop(key: string, value: Value): void;
}

interface Entry<Value> {
  value: Value;
  untilMs: number;
}

export function createExpiringMap<Value>(limitEntries: number, stopwatch: Stopwatch): ExpiringMap<Value> {
  // A Map iterates in order of insertion: its first key is the oldest.
  const entries = new Map<string, Entry<Value>>();
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (stopwatch.elapsedMs() < entry.untilMs) return entry.value;
      entries.delete(key);
      return undefined;
    },
    set(key, value, lifetimeMs) {
      entries.delete(key);
      const [oldest] = entries.keys();
      if (entries.size >= limitEntries && oldest !== undefined) entries.delete(oldest);
      entries.set(key, { value, untilMs: stopwatch.elapsedMs() + lifetimeMs });
    },
    drop(key, value) {
      if (entries.get(key)?.value === value) entries.delete(key);
    },
  };
}
