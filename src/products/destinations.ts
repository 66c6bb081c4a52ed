/** Where a team and its client may send to: by country or prefix. */
import { errors } from '../platform/errors.ts';
import { countriesOf } from './quiet-hours/zones.ts';

/** Countries (ISO 3166-1 alpha-2) and prefixes such as `+2547`. */
export interface Destinations {
  /** Empty or absent: everywhere. */
  allow?: readonly string[];
  /** Not there, whatever is allowed. */
  deny?: readonly string[];
}

/** Throws 400 and lists the recipients that one of `limits` keeps out. `phones`: E.164, or user ids. */
export function requireDestinations(phones: readonly string[], limits: readonly Destinations[]): void {
  const asked = limits.filter(({ allow = [], deny = [] }) => allow.length > 0 || deny.length > 0);
  if (asked.length === 0) return;
  const kept = phones.filter((phone) => !asked.every((one) => lets(one, phone)));
  if (kept.length > 0) throw errors.destinationNotAllowed(kept);
}

function lets({ allow = [], deny = [] }: Destinations, phone: string): boolean {
  const isIn = (place: string) =>
    place.startsWith('+') ? phone.startsWith(place) : countriesOf(phone).includes(place);
  return (allow.length === 0 || allow.some(isIn)) && !deny.some(isIn);
}
