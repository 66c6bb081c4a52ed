/** The countries of numbers and user ids, and the time zones of countries. */
import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/mobile';
import { isUserId } from '../../model/address.ts';

/** Undefined: several countries have such numbers. `phone`: E.164 or a user id, which begins with its country. */
export function countryOf(phone: string): string | undefined {
  return isUserId(phone) ? phone.slice(0, 2) : parsePhoneNumberFromString(phone)?.country;
}

/** By calling code. None begins with another. */
const countriesByCode: ReadonlyMap<string, readonly string[]> = Map.groupBy(getCountries(), (country) =>
  String(getCountryCallingCode(country)),
);

/** All that may have such a number: of some, such as +44 79…, several. */
export function countriesOf(phone: string): readonly string[] {
  if (isUserId(phone)) return [phone.slice(0, 2)];
  // Most codes are of one country. Parsing costs fifty times as much.
  for (let digits = 1; digits <= 3; digits += 1) {
    const named = countriesByCode.get(phone.slice(1, 1 + digits));
    if (named?.length === 1) return named;
  }
  const number = parsePhoneNumberFromString(phone);
  return number?.country === undefined ? (number?.getPossibleCountries() ?? []) : [number.country];
}

const zones = new Map<string, readonly string[]>();

/** Names of the IANA database; UTC for a country that Intl does not know. */
export function zonesOf(country: string): readonly string[] {
  const known = zones.get(country);
  if (known !== undefined) return known;
  const locale: Intl.Locale & { getTimeZones?: () => string[] } = new Intl.Locale(`und-${country}`);
  const found = locale.getTimeZones?.() ?? ['UTC'];
  zones.set(country, found);
  return found;
}

/** The zone of that name in any case, as `zonesOf` writes it; undefined: there is none. An offset is no zone. */
export function zoneNamed(name: string): string | undefined {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return /^[+-]/.test(timeZone) ? undefined : timeZone;
  } catch {
    return undefined;
  }
}
