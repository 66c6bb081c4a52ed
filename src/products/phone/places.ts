/** The places of a number, among which codes that nobody confirms are counted: its country, and the blocks that it is in. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/mobile';

/** Numbers are given out, and rented for fraud, in blocks: of a million, and of ten thousand. */
const blockDigits = [6, 4];

/** A country, or the calling code that several have, then prefixes such as `+254711` and `+25471100`. `phone`: E.164. */
export function placesOf(phone: string): readonly string[] {
  const number = parsePhoneNumberFromString(phone);
  const callingCode = `+${number?.countryCallingCode ?? ''}`;
  const blocks = blockDigits
    .map((digits) => phone.slice(0, -digits))
    .filter((prefix) => prefix.length > callingCode.length);
  return [number?.country ?? callingCode, ...blocks];
}
