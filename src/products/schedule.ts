/** The rules on the time that a request is sent at, and on the zone of its recipients. */
import type { Schedule } from '../model/plan.ts';
import { errors } from '../platform/errors.ts';
import { instantOf } from '../platform/text/instant.ts';
import { zoneNamed } from './quiet-hours/zones.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const soonestMs = minuteMs;
const latestMs = 30 * dayMs;
/** As the longest validity of a service. */
const longestValidityMs = 14 * dayMs;

/** In UTC, to the millisecond. Throws errors.scheduleInvalid for times that no request may have. */
export function checkSchedule(asked: Schedule | undefined, nowMs: number): Schedule | undefined {
  if (asked === undefined) return undefined;
  const sendAt = instantOf(asked.sendAt);
  const aheadMs = sendAt.getTime() - nowMs;
  // A text that no calendar has is not a number.
  if (!(aheadMs >= soonestMs && aheadMs <= latestMs))
    throw errors.scheduleInvalid('/schedule/sendAt must be 1 minute to 30 days from now.');
  if (asked.validUntil === undefined) return { sendAt: sendAt.toISOString() };
  const validUntil = instantOf(asked.validUntil);
  const validMs = validUntil.getTime() - sendAt.getTime();
  if (!(validMs > 0)) throw errors.scheduleInvalid('/schedule/validUntil must be later than sendAt.');
  if (validMs > longestValidityMs)
    throw errors.scheduleInvalid('/schedule/validUntil must be at most 14 days after sendAt.');
  return { sendAt: sendAt.toISOString(), validUntil: validUntil.toISOString() };
}

/** As the IANA database writes it. Throws errors.timeZoneInvalid for names that it does not have. */
export function checkTimeZone(asked: string | undefined): string | undefined {
  if (asked === undefined) return undefined;
  const zone = zoneNamed(asked);
  if (zone === undefined) throw errors.timeZoneInvalid();
  return zone;
}
