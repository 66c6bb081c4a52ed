/**
 * Caches look-ups for some seconds: concurrent callers share one look-up, and the number of entries is bounded. Not
 * lru-cache, which was tried: it counts the age of a value from its arrival, and lets callers share a look-up that hangs.
 */
import type { Stopwatch } from '../clock.ts';
import { createExpiringMap } from './expiring-map.ts';
import { share } from './patience.ts';

/** Calls that arrive while `load` runs share its result; nothing is kept. */
export function shared<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<Value> | undefined;
  return () => {
    running ??= load().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/**
 * Keeps what `load` resolves to for `lifetimeMs`, counted from the start of the look-up. Callers that arrive while
 * it runs share it; a look-up that fails, or whose value `keep` rejects, is dropped.
 */
export function cached<Arguments extends (string | undefined)[], Value>(
  load: (...key: Arguments) => Promise<Value>,
  options: {
    lifetimeMs: number;
    limitEntries: number;
    clock: Stopwatch;
    keep?: (value: Value, key: NoInfer<Arguments>) => boolean;
  },
): (...key: Arguments) => Promise<Value> {
  const { lifetimeMs, limitEntries, clock, keep = () => true } = options;
  const entries = createExpiringMap<Promise<Value>>(limitEntries, clock);
  const running = new WeakMap<Promise<Value>, () => Promise<Value>>();
  return (...key) => {
    const name = key.length === 0 ? '' : JSON.stringify(key);
    const known = entries.get(name);
    if (known !== undefined) return running.get(known)?.() ?? known;
    const { running: lookup, wait } = share(() => load(...key));
    running.set(lookup, wait);
    entries.set(name, lookup, lifetimeMs);
    lookup.then(
      (value) => {
        running.delete(lookup);
        if (!keep(value, key)) entries.drop(name, lookup);
      },
      () => entries.drop(name, lookup),
    );
    return wait();
  };
}
