/** The current token keys, read again every few seconds so that a rotation reaches every process. */

import type { Clock, Stopwatch } from '../platform/clock.ts';
import { cached } from '../platform/concurrency/cache.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';
import { type KeyStore, loadKeys, type TokenKeys } from './keys.ts';

export interface Keyring {
  /** At most 5 s old; the last ones known while they cannot be read. */
  current(): Promise<TokenKeys>;
}

const keysLifetimeMs = 5_000;

/** Rejects if the keys cannot be read at first. `onFault` hears why a later read fails. */
export async function openKeyring(dependencies: {
  store: KeyStore;
  secrets: Secrets;
  clock: Clock & Stopwatch;
  onFault: (error: unknown) => void;
}): Promise<Keyring> {
  const { store, secrets, clock, onFault } = dependencies;
  let known = await loadKeys(store, secrets, clock);
  const current = cached(
    async () => {
      try {
        known = await loadKeys(store, secrets, clock);
      } catch (error) {
        onFault(error);
      }
      return known;
    },
    { lifetimeMs: keysLifetimeMs, limitEntries: 1, clock },
  );
  return { current };
}
