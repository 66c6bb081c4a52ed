/** The web origins whose pages may call the API: those that clients list. */
import { cached } from '../cache.ts';
import type { Stopwatch } from '../clock.ts';
import type { ClientRepository } from './repository.ts';

/** An origin as browsers send it (RFC 6454, 6.2): scheme, host and, unless it is the scheme's own, port. */
export function isWebOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/** How long an origin that was taken off a list is still answered. */
const lifetimeMs = 5_000;

/** Tells whether any client lists an origin. All origins are read at once: anybody may ask, as often as they like. */
export function createWebOrigins(
  { listWebOrigins }: Pick<ClientRepository, 'listWebOrigins'>,
  clock: Stopwatch,
): (origin: string) => Promise<boolean> {
  const load = cached(async (_all: string) => new Set(await listWebOrigins()), {
    lifetimeMs,
    limitEntries: 1,
    clock,
  });
  return async (origin) => (await load('all')).has(origin);
}
