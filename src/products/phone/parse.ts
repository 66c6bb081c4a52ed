/** Parses a phone number as a client wrote it into E.164 form, without looking for its channel. */
import {
  type CountryCode,
  Metadata,
  type NumberingPlan,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/mobile';
import { isUserId } from '../../model/address.ts';

export type { CountryCode };

/** Takes a number as written; returns E.164 with its plus, or undefined if the number is not plausible. */
export type PhoneParser = (written: string) => string | undefined;

const writtenLimitCharacters = 64;
const e164LimitCharacters = 16;
const separators = /[ ()-]/g;
const withCountryCode = /^\+?[1-9][0-9]+$/;
// Two zeros dial out of a country nearly everywhere: never a local number, whatever the metadata says.
const local = /^0[1-9][0-9]+$/;

/** What the library's numbering plans can do beyond its type declarations. Absent values may be 0. */
interface FullNumberingPlan extends NumberingPlan {
  callingCode(): string;
  nationalPrefixForParsing(): string | 0 | undefined;
  type(kind: 'MOBILE'): { pattern(): string; possibleLengths(): number[] } | undefined;
}

/** Of chat apps: takes the id of a person whose number their network does not say, too. */
export const orUserId =
  (parsePhone: PhoneParser): PhoneParser =>
  (written) =>
    isUserId(written) ? written : parsePhone(written);

/**
 * A parser for the three accepted forms: country code with a plus, country code without, local with a leading zero
 * in `defaultRegion`. Spaces, hyphens and parentheses are ignored, anything else is rejected. Numbers are judged by
 * the length of their country's mobiles only: metadata lags behind the ranges networks really use. Throws for a
 * region that the library does not know.
 */
export function createPhoneParser(defaultRegion: CountryCode): PhoneParser {
  const byLibrary = createLibraryParser(defaultRegion);
  const byPattern = createHomeMobileParser(defaultRegion);
  return (written) => byPattern?.(written) ?? byLibrary(written);
}

/** The rule itself, without the short cut for mobiles of the home region. */
export function createLibraryParser(defaultRegion: CountryCode): PhoneParser {
  const dialsAbroad = dialsAbroadPattern(planOf(defaultRegion));
  return (written) => {
    const number = withoutSeparators(written);
    if (withCountryCode.test(number)) {
      return plausible(number.startsWith('+') ? number : `+${number}`, undefined);
    }
    if (local.test(number) && !dialsAbroad.test(number)) return plausible(number, defaultRegion);
    return undefined;
  };
}

/** As long as the country's mobile numbers are; a plan's other lengths are those of its landlines. */
function plausible(number: string, region: CountryCode | undefined): string | undefined {
  const parsed = parsePhoneNumberFromString(number, region);
  if (parsed === undefined || parsed.number.length > e164LimitCharacters) return undefined;
  const lengths = planOf(parsed.countryCallingCode).type('MOBILE')?.possibleLengths();
  const possible = lengths?.includes(parsed.nationalNumber.length) ?? parsed.isPossible();
  return possible ? parsed.number : undefined;
}

/**
 * Recognises mobiles of one region by one pattern, in under 1 µs; undefined says nothing about a number.
 * Only where the library would change nothing but a plain leading 0: regions with another trunk prefix, or one
 * that changes the number, have no such parser.
 */
function createHomeMobileParser(region: CountryCode): PhoneParser | undefined {
  const plan = planOf(region);
  const code = plan.callingCode();
  const pattern = homeMobilePattern(plan);
  if (pattern === undefined) return undefined;
  return (written) => {
    const number = withoutSeparators(written);
    if (!pattern.test(number)) return undefined;
    if (number.startsWith('+')) return number;
    return number.startsWith('0') ? `+${code}${number.slice(1)}` : `+${number}`;
  };
}

function dialsAbroadPattern(plan: FullNumberingPlan): RegExp {
  return new RegExp(`^(?:${plan.IDDPrefix()})`);
}

function homeMobilePattern(plan: FullNumberingPlan): RegExp | undefined {
  const mobile = plan.type('MOBILE')?.pattern();
  const code = plan.callingCode();
  const trunk = plan.nationalPrefixForParsing();
  if (mobile === undefined || (trunk && trunk !== '0')) return undefined;
  const leads = trunk ? `(?:\\+?${code}|(?!${plan.IDDPrefix()})0)(?!0)` : `\\+?${code}`;
  return new RegExp(`^${leads}(?:${mobile})$`);
}

/** What a parser for a region is made of, for the check that every pattern takes linear time. */
export function patternsOf(region: CountryCode): RegExp[] {
  const plan = planOf(region);
  const mobile = homeMobilePattern(plan);
  return [dialsAbroadPattern(plan), ...(mobile === undefined ? [] : [mobile])];
}

/** Empty for a text that is too long for a number, so that no pattern ever sees it. */
function withoutSeparators(written: string): string {
  return written.length > writtenLimitCharacters ? '' : written.replace(separators, '');
}

function planOf(regionOrCallingCode: string): FullNumberingPlan {
  const metadata = new Metadata();
  // Takes calling codes too, though its type says regions only.
  metadata.selectNumberingPlan(regionOrCallingCode as CountryCode);
  return metadata.numberingPlan as FullNumberingPlan;
}
