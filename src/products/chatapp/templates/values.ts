/** The rules on the value of one parameter and on its other properties. */
import { sentences } from '../../../platform/errors/parameters.ts';
import { codePoints } from '../../../platform/text/code-points.ts';
import { isHttpUrl } from '../../../platform/text/url.ts';
import { createDestinations } from '../../../receipts/callback/destination.ts';

const forbidden = /\p{Cc}/u;
const longestUrl = 2048;
const longestFilename = 240;
const longestAddress = 1024;

/** A text of 1 to `limit` code points; `refused` finds characters that it may not hold. */
export function textFaults(value: string, label: string, limit: number, refused = forbidden): string[] {
  if (value === '') return [sentences.empty(label)];
  if (refused.test(value)) return [sentences.forbiddenCharacters(label)];
  return codePoints(value) > limit ? [sentences.tooLong(label, limit)] : [];
}

/** Ends the address of a button: the network encodes nothing. */
export function urlSuffixFaults(value: string, label: string): string[] {
  return textFaults(value, label, 2000, /[\p{Cc}\s]/u);
}

// The network fetches media itself: a private address would only fail later.
const destinations = createDestinations({ allowLoopback: false });

/** The address of a medium that the network fetches. */
export function mediaUrlFaults(value: string, label: string): string[] {
  if (value === '') return [sentences.empty(label)];
  return isPublicUrl(value) ? [] : [sentences.mediaUrl(label)];
}

/** Whether a network may fetch it: it names no private address. */
export function isPublicUrl(value: string): boolean {
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
  if (!isDocument) return [sentences.filenameNotAllowed()];
  return isLine(filename, longestFilename) ? [] : [sentences.filename(longestFilename)];
}

/** Degrees of WGS 84, and an address in words. */
export function placeFaults(place: { latitude: number; longitude: number; address?: string }): string[] {
  const faults: string[] = [];
  if (Math.abs(place.latitude) > 90) faults.push(sentences.latitude());
  if (Math.abs(place.longitude) > 180) faults.push(sentences.longitude());
  if (place.address !== undefined && !isLine(place.address, longestAddress))
    faults.push(sentences.address(longestAddress));
  return faults;
}

function isLine(text: string, limit: number): boolean {
  return text !== '' && codePoints(text) <= limit && !forbidden.test(text);
}

/** An instant after `nowMs`. */
export function futureInstantFaults(value: string, label: string, nowMs: number): string[] {
  if (value === '') return [sentences.empty(label)];
  const instantMs = parseInstant(value);
  if (instantMs === undefined) return [sentences.dateTime(label)];
  return instantMs > nowMs ? [] : [sentences.past(label)];
}

const dateTime = /^(\d{4})-(\d\d)-(\d\d)[Tt](?:[01]\d|2[0-3]):\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/** RFC 3339 section 5.6, in milliseconds since 1970; undefined for any other text and for leap seconds. */
export function parseInstant(text: string): number | undefined {
  const match = dateTime.exec(text);
  if (match === null) return undefined;
  const [, year, month, day] = match.map(Number);
  // Date.parse takes the 30th of February for a day in March.
  if (Number(day) > new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()) return undefined;
  const instantMs = Date.parse(text.toUpperCase());
  return Number.isNaN(instantMs) ? undefined : instantMs;
}
