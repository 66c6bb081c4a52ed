/** The countries of numbers, and the time zones of countries. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/mobile';

/** Undefined: several countries have such numbers. `phone`: E.164. */
export function countryOf(phone: string): string | undefined {
  return parsePhoneNumberFromString(phone)?.country;
}

/** Names of the IANA database; UTC for a country that Intl does not know. */
export function zonesOf(country: string): readonly string[] {
  const locale: Intl.Locale & { getTimeZones?: () => string[] } = new Intl.Locale(`und-${country}`);
  return locale.getTimeZones?.() ?? ['UTC'];
}
