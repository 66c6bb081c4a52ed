/** When codes to a place are refused: more of them stay unconfirmed than its confirmed ones explain. */
import { placesOf } from '../../products/phone/places.ts';

/** What is done with codes beyond the limit. */
export type PumpingGuard = 'Off' | 'Record' | 'Refuse';

/** The codes of an hour to one place. */
export interface HourCount {
  /** When it began, in milliseconds since 1970. */
  hour: number;
  /** Within the limit. */
  sent: number;
  /** Of those sent. */
  confirmed: number;
  /** Of those beyond the limit that were sent all the same. */
  overConfirmed: number;
}

/** How a place stands in one window. */
export interface Standing {
  unconfirmed: number;
  limit: number;
}

export const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** How far back the largest day may be. */
export const daysLookedAt = 14;
/** How many may stay unconfirmed where nothing has been confirmed yet, and beside the share of those that are. */
const leastLimit = 20;
const share = 0.2;

const beginOf = (unit: number, ms: number) => Math.floor(ms / unit) * unit;
const limitOf = (confirmed: number) => Math.floor(leastLimit + share * confirmed);

/** In this hour and the 23 before, and in this hour. `counts`: of one place. */
export function standingOf(counts: readonly HourCount[], nowMs: number): Record<'day' | 'hour', Standing> {
  const thisHour = beginOf(hourMs, nowMs);
  const oldestDay = beginOf(dayMs, nowMs) - (daysLookedAt - 1) * dayMs;
  const day = { unconfirmed: 0, confirmed: 0 };
  const hour = { unconfirmed: 0, confirmed: 0 };
  const confirmedByDay = new Map<number, number>();
  for (const count of counts) {
    // People are known by every code that they confirm.
    const confirmed = count.confirmed + count.overConfirmed;
    for (const [window, since] of [
      [day, thisHour - dayMs + hourMs],
      [hour, thisHour],
    ] as const)
      if (count.hour >= since) {
        window.unconfirmed += count.sent - count.confirmed;
        window.confirmed += confirmed;
      }
    const its = beginOf(dayMs, count.hour);
    if (its >= oldestDay) confirmedByDay.set(its, (confirmedByDay.get(its) ?? 0) + confirmed);
  }
  const confirmedInADay = Math.max(day.confirmed, ...confirmedByDay.values());
  return {
    day: { unconfirmed: day.unconfirmed, limit: limitOf(confirmedInADay) },
    hour: {
      unconfirmed: hour.unconfirmed,
      limit: limitOf(Math.max(confirmedInADay / 6, hour.confirmed)),
    },
  };
}

/** How many codes a place may get now. */
export function roomOf(counts: readonly HourCount[], nowMs: number): number {
  const { day, hour } = standingOf(counts, nowMs);
  return Math.min(day.limit - day.unconfirmed, hour.limit - hour.unconfirmed);
}

/** When counts of hours change next. */
export const secondsToNextHour = (nowMs: number) =>
  Math.max(1, Math.ceil((beginOf(hourMs, nowMs) + hourMs - nowMs) / 1_000));

/** What codes add to the counts of a place. */
export interface PlaceCount {
  place: string;
  sent: number;
  /** Beyond the limit: refused, or sent all the same. */
  over: number;
}

export interface Judged {
  /** The numbers whose codes are beyond the limit of a place of theirs. */
  over: readonly string[];
  counts: readonly PlaceCount[];
}

/** The codes of one request. */
export interface Codes {
  requestId: string;
  teamId: string;
  guard: PumpingGuard;
  /** One for each code, in E.164. */
  phones: readonly string[];
}

export interface Counted extends Judged {
  /** Until a limit may let more through. */
  seconds: number;
}

/** How many codes places may get now. */
export interface Rooms {
  rooms: Map<string, number>;
  /** As in `Counted`. */
  seconds: number;
}

/**
 * Judges the codes of a request, one after the other. `rooms`: of all their places, from which it takes what is sent.
 * With `Refuse`, nothing of a request is sent if one of its codes is beyond.
 */
export function judgeCodes(
  phones: readonly string[],
  guard: PumpingGuard,
  rooms: Map<string, number>,
): Judged {
  const codes = phones.map((phone) => ({ phone, places: placesOf(phone) }));
  const left = new Map(rooms);
  const fitting = codes.filter(({ places }) => {
    if (places.some((place) => (left.get(place) ?? 0) < 1)) return false;
    for (const place of places) left.set(place, (left.get(place) ?? 0) - 1);
    return true;
  });
  const over = codes.filter((code) => !fitting.includes(code));
  const isRefused = guard === 'Refuse' && over.length > 0;
  if (!isRefused) for (const [place, room] of left) rooms.set(place, room);
  const sentTo = placeCounts(isRefused ? [] : fitting);
  const overTo = placeCounts(over);
  return {
    over: over.map(({ phone }) => phone),
    counts: [...new Set([...sentTo.keys(), ...overTo.keys()])].map((place) => ({
      place,
      sent: sentTo.get(place) ?? 0,
      over: overTo.get(place) ?? 0,
    })),
  };
}

function placeCounts(codes: readonly { places: readonly string[] }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { places } of codes) for (const place of places) counts.set(place, (counts.get(place) ?? 0) + 1);
  return counts;
}
