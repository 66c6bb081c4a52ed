/** The web origins whose pages may call the API: those that clients list. */

import type { Stopwatch } from '../platform/clock.ts';
import { cached } from '../platform/concurrency/cache.ts';
import type { ClientRepository } from './repository.ts';

/** An origin as browsers send it (RFC 6454, 6.2): scheme, host and, unless it is the scheme's own, port. No browser sends a wildcard. */
export function isWebOrigin(text: string): boolean {
  return /^https?:[^*]*$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/** How long an origin still counts after it was taken off a list. */
const lifetimeMs = 5_000;

/**
 * Tells whether any client lists an origin. The pages of the service itself, at `publicUrl`, need no list: whatever
 * clients list, the documentation works for all of them. All origins are read at once, because anybody may ask.
 */
export function createWebOrigins(
  { listWebOrigins }: Pick<ClientRepository, 'listWebOrigins'>,
  publicUrl: string,
  clock: Stopwatch,
): (origin: string) => Promise<boolean> {
  const { origin: own } = new URL(publicUrl);
  const load = cached(async (_all: string) => new Set(await listWebOrigins()), {
    lifetimeMs,
    limitEntries: 1,
    clock,
  });
  return async (origin) => origin !== own && (await load('all')).has(origin);
}
