/** When promotional messages may be delivered in a country: pure rules on its local times. */

/** The windows of a country in local time, such as `08:00-20:00`; null: none that day. */
export interface QuietHours {
  /** ISO 3166-1 alpha-2. */
  country: string;
  mondayToFriday: string | null;
  saturday: string | null;
  sunday: string | null;
  /** Dates on which nothing is delivered, such as `2026-12-25`. */
  holidays: readonly string[];
}

/** Windows begin and end at quarters of an hour, and so do the offsets of all zones: within one nothing changes. */
const slotMs = 15 * 60_000;
/** Longer than any row of holidays. */
const slotsLookedAt = (14 * 24 * 3_600_000) / slotMs;

/**
 * The earliest time from `fromMs` at which the window is open in all of the zones, in milliseconds since 1970; undefined:
 * there is none within two weeks.
 */
export function opensAt(rules: QuietHours, zones: readonly string[], fromMs: number): number | undefined {
  const slot = Math.floor(fromMs / slotMs);
  for (let next = slot; next < slot + slotsLookedAt; next += 1)
    if (isOpen(rules, zones, next * slotMs)) return Math.max(fromMs, next * slotMs);
  return undefined;
}

function isOpen(rules: QuietHours, zones: readonly string[], ms: number): boolean {
  return zones.every((zone) => {
    const { date, weekday, time } = clockOf(zone, ms);
    const window = rules.holidays.includes(date) ? null : windowOf(rules, weekday);
    const [begin = '', end = ''] = window?.split('-') ?? [];
    return window !== null && time >= begin && time < end;
  });
}

function windowOf({ mondayToFriday, saturday, sunday }: QuietHours, weekday: string): string | null {
  if (weekday === 'Sat') return saturday;
  return weekday === 'Sun' ? sunday : mondayToFriday;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone: string, ms: number): { date: string; weekday: string; time: string } {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      weekday: 'short',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
    formats.set(timeZone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  return {
    date: `${parts.year}-${parts.month}-${parts.day}`,
    weekday: parts.weekday ?? '',
    time: `${parts.hour}:${parts.minute}`,
  };
}

/**
 * Until when a message to a number waits that leaves at `fromMs` otherwise; undefined: it need not. `zone`: where the
 * recipient is, if its country has it; absent: anywhere in the country.
 */
export type FindOpening = (phone: string, fromMs: number, zone?: string) => number | undefined;

/** Far more than there are countries, zones and times that are asked for within seconds. */
const mostKnown = 10_000;

/**
 * `countryOf`: of a number in E.164 form. Numbers of other countries need not wait. If no window opens for weeks, it is
 * looked at again then.
 */
export function createFindOpening(
  table: readonly QuietHours[],
  countryOf: (phone: string) => string | undefined,
  zonesOf: (country: string) => readonly string[],
): FindOpening {
  const rules = new Map(table.map((one) => [one.country, one]));
  const known = new Map<string, number>();
  return (phone, fromMs, zone) => {
    const own = rules.size === 0 ? undefined : rules.get(countryOf(phone) ?? '');
    if (own === undefined) return undefined;
    const all = zonesOf(own.country);
    const zones = zone !== undefined && all.includes(zone) ? [zone] : all;
    const beginMs = Math.floor(fromMs / slotMs) * slotMs;
    const key = `${own.country} ${beginMs} ${zones.length === 1 ? zones[0] : ''}`;
    let opensMs = known.get(key);
    if (opensMs === undefined) {
      opensMs = opensAt(own, zones, beginMs) ?? beginMs + slotsLookedAt * slotMs;
      if (known.size >= mostKnown) known.clear();
      known.set(key, opensMs);
    }
    return opensMs > fromMs ? opensMs : undefined;
  };
}
