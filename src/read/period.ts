/** The rule on the period of a search. */
import { errors } from '../platform/errors.ts';
import { instantOf } from '../platform/text/instant.ts';

const longestDays = 366;
const dayMs = 24 * 3_600_000;

/** RFC 3339; without `to` it ends now. Throws errors.invalidPeriod for one that is empty or too long. */
export function requirePeriod(from: string | undefined, to: string | undefined, nowMs: number): void {
  const end = to === undefined ? nowMs : instantOf(to).getTime();
  const begin = from === undefined ? end - 1 : instantOf(from).getTime();
  if (begin >= end || end - begin > longestDays * dayMs) throw errors.invalidPeriod(longestDays);
}
