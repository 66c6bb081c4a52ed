/** The rules on the value of one parameter, and the sentences that refuse it. */
import { createDestinations } from '../receipts/destination.ts';
import { codePoints } from '../text.ts';
import { isHttpUrl } from '../url.ts';

const forbidden = /\p{Cc}/u;
const longestUrl = 2048;
const longestFilename = 240;
const longestAddress = 1024;

const sentence = (label: string, rule: string) => `Value for parameter '${label}' ${rule}`;

/** A text of 1 to `limit` code points; `refused` finds characters that it may not hold. */
export function textFaults(value: string, label: string, limit: number, refused = forbidden): string[] {
  if (value === '') return [sentence(label, 'must be non-empty')];
  if (refused.test(value)) return [sentence(label, 'contains forbidden characters')];
  return codePoints(value) > limit ? [sentence(label, `must not exceed ${limit} characters`)] : [];
}

/** Ends the address of a button: the network encodes nothing. */
export function urlSuffixFaults(value: string, label: string): string[] {
  return textFaults(value, label, 2000, /[\p{Cc}\s]/u);
}

// The network fetches media itself: a private address would only fail later.
const destinations = createDestinations({ allowLoopback: false });

/** The address of a medium that the network fetches. */
export function mediaUrlFaults(value: string, label: string): string[] {
  if (value === '') return [sentence(label, 'must be non-empty')];
  return isPublicUrl(value) ? [] : [sentence(label, 'must be a public http or https URL')];
}

function isPublicUrl(value: string): boolean {
  if (value.length > longestUrl || !isHttpUrl(value) || destinations.urlRefusal(value) !== undefined)
    return false;
  const { hostname } = new URL(value);
  return (
    hostname.startsWith('[') || (/.\../.test(hostname) && !/\.(localhost|local|internal)\.?$/.test(hostname))
  );
}

/** The name under which a document is shown. */
export function filenameFaults(filename: string | undefined, isDocument: boolean): string[] {
  if (filename === undefined) return [];
  if (!isDocument) return ['Filename is only allowed for a DOCUMENT header'];
  return isLine(filename, longestFilename)
    ? []
    : [`Filename must have 1 to ${longestFilename} characters and no control characters`];
}

/** Degrees of WGS 84, and an address in words. */
export function placeFaults(place: { latitude: number; longitude: number; address?: string }): string[] {
  const faults: string[] = [];
  if (Math.abs(place.latitude) > 90) faults.push('Latitude must be between -90 and 90');
  if (Math.abs(place.longitude) > 180) faults.push('Longitude must be between -180 and 180');
  if (place.address !== undefined && !isLine(place.address, longestAddress))
    faults.push(`Address must have 1 to ${longestAddress} characters and no control characters`);
  return faults;
}

function isLine(text: string, limit: number): boolean {
  return text !== '' && codePoints(text) <= limit && !forbidden.test(text);
}

/** An instant after `nowMs`. */
export function futureInstantFaults(value: string, label: string, nowMs: number): string[] {
  if (value === '') return [sentence(label, 'must be non-empty')];
  const instantMs = parseInstant(value);
  if (instantMs === undefined) return [sentence(label, 'must be an RFC 3339 date-time')];
  return instantMs > nowMs ? [] : [sentence(label, 'must be in the future')];
}

const dateTime = /^(\d{4})-(\d\d)-(\d\d)[Tt](?:[01]\d|2[0-3]):\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/** RFC 3339 section 5.6, in milliseconds since 1970; undefined for what is none, leap seconds included. */
export function parseInstant(text: string): number | undefined {
  const match = dateTime.exec(text);
  if (match === null) return undefined;
  const [, year, month, day] = match.map(Number);
  // Date.parse takes the 30th of February for a day in March.
  if (Number(day) > new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()) return undefined;
  const instantMs = Date.parse(text.toUpperCase());
  return Number.isNaN(instantMs) ? undefined : instantMs;
}
