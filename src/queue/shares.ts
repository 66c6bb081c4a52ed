/** Shares something scarce by weight: start-time fair queueing (Goyal, Vin and Cheng, 1996). */
import type { Priority } from '../model/plan.ts';

/**
 * While more waits than a connector can take, 16 of 21 messages are AUTHENTICATION, 4 UTILITY and one anything
 * else. The others use what a priority does not need, and none waits forever.
 */
export const weights: Record<Priority, number> = { 0: 16, 1: 4, 2: 1 };

export interface Shares<Key> {
  /** How far the key is ahead of the others, in messages of weight 1; 0: it has had no more than its share. */
  ahead: (key: Key) => number;
  /** Counts messages that were claimed, in the order in which they were. */
  spend: (key: Key, messages: number) => void;
  /** All keys that are ahead. */
  leaders: () => Map<Key, number>;
}

/** `most`: keys that are remembered. */
export function createShares<Key>(weightOf: (key: Key) => number, most: number): Shares<Key> {
  const ends = new Map<Key, number>();
  /** Where the last claimed message started: a key that was idle has saved nothing up. */
  let nowAt = 0;
  const ahead = (key: Key) => Math.max(0, (ends.get(key) ?? 0) - nowAt);
  return {
    ahead,
    spend: (key, messages) => {
      nowAt += ahead(key);
      ends.delete(key);
      ends.set(key, nowAt + messages / weightOf(key));
      for (const [other, end] of ends) if (end <= nowAt || ends.size > most) ends.delete(other);
    },
    leaders: () => new Map([...ends.keys()].map((key) => [key, ahead(key)])),
  };
}
