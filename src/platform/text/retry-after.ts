/** Reads the Retry-After header of a response. */

const longestSeconds = 86_400;

/** Seconds or an HTTP date (RFC 9110, 10.2.3), at most a day; undefined when it says neither. The first of several counts. */
export function retryAfterSeconds(
  header: string | readonly string[] | undefined,
  nowMs: number,
): number | undefined {
  const [first = ''] = [header].flat();
  const text = first.trim();
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((httpDate(text) - nowMs) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), longestSeconds);
}

/** Milliseconds since 1970, or NaN. All three forms of RFC 9110, 5.6.7 begin with the name of a day. */
function httpDate(text: string): number {
  if (!/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /.test(text)) return Number.NaN;
  // The oldest form names no zone, and means Greenwich like the others.
  return Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`);
}
