/** Which ways of writing a phone number are accepted, and that the short cut for home mobiles changes none of it. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { getCountries, getCountryCallingCode, getExampleNumber } from 'libphonenumber-js/mobile';
import examples from 'libphonenumber-js/mobile/examples';
import { testEvery } from '../../platform/for-every-testing.ts';
import { sized } from '../../platform/sized-testing.ts';
import { type CountryCode, createLibraryParser, createPhoneParser } from './parse.ts';

const seed = Number(process.env.SEED);
const parse = createPhoneParser('KE');

describe('accepted forms', () => {
  testEvery([
    ['country code with plus', '+254711000000', '+254711000000'],
    ['country code without plus', '254711000000', '+254711000000'],
    ['separators are ignored', ' +254 (711) 000-000 ', '+254711000000'],
    ['a plus in parentheses', '(+254) 711 000 000', '+254711000000'],
    ['the trunk zero kept after the country code', '+254 (0) 711 000 000', '+254711000000'],
    ['a mobile range that the metadata does not know', '0109000000', '+254109000000'],
    ['another country', '+255 754 000 000', '+255754000000'],
    ['another country without plus', '255754000000', '+255754000000'],
    ['a fixed line', '020 2000000', '+254202000000'],
    ['the longest way to write a number', `${' '.repeat(51)}+254711000000`, '+254711000000'],
  ])('%s', (_rule, written, e164) => {
    expect(parse(written)).toBe(e164);
  });
});

describe('refused', () => {
  testEvery([
    ['empty', ''],
    ['only a plus', '+'],
    ['a national number without its leading zero', '711000000'],
    ['two pluses', '++254711000000'],
    ['a plus in the middle', '254+711000000'],
    ['a plus before a local number', '+0711000000'],
    ['an international access code', '00254711000000'],
    ['two leading zeros', '0011000000'],
    ['a country code that does not exist', '+999711000000'],
    ['too short', '071100'],
    ['longer than E.164 allows', '+598000412345678901'],
    ['letters', '+254711BETTER'],
    ['an extension', '0711000000 ext. 5'],
    ['dots', '0711.000.000'],
    ['Arabic-Indic digits', '+٢٥٤٧١١٠٠٠٠٠٠'],
    ['a line break at the end', '+254711000000\n'],
    ['written with more than 64 characters', `${' '.repeat(52)}+254711000000`],
  ])('%s', (_rule, written) => {
    expect(parse(written)).toBeUndefined();
  });
});

describe('other home regions', () => {
  testEvery<[string, CountryCode, string, string | undefined]>([
    ['no trunk prefix, a zero that belongs to the number', 'CI', '0701234567', '+2250701234567'],
    ['the same with its country code', 'CI', '2250701234567', '+2250701234567'],
    ['a fixed line that keeps its zero', 'IT', '06 1234 5678', '+390612345678'],
    ['a trunk prefix of two digits that starts with zero', 'HU', '06 20 123 4567', '+36201234567'],
    ['a trunk prefix other than zero is not the local form', 'RU', '8 912 345-67-89', undefined],
    ['a carrier code behind the zero', 'BR', '0 15 11 96123-4567', '+5511961234567'],
    ['a trunk zero that turns into another digit', 'AR', '011 15 2345-6789', '+5491123456789'],
    ['an access code with a single zero', 'US', '011 254 711000000', undefined],
    ['an access code that is the zero itself', 'WS', '0254711000000', undefined],
  ])('%s', (_rule, region, written, e164) => {
    expect(createPhoneParser(region)(written)).toBe(e164);
  });
  test('a region that does not exist', () => {
    expect(() => createPhoneParser('XX' as CountryCode)).toThrow('Unknown country: XX');
  });
});

/** Strings near a region's mobiles: its example number bent a little, behind every kind of lead. */
function nearMobiles(region: CountryCode): fc.Arbitrary<string> {
  const code = getCountryCallingCode(region);
  const example = getExampleNumber(region, examples)?.nationalNumber ?? '711000000';
  const digit = fc.constantFrom(...'0123456789');
  const bent = fc
    .tuple(
      fc.array(fc.tuple(fc.nat({ max: example.length }), digit), { maxLength: 6 }),
      fc.string({ maxLength: 2, unit: digit }),
    )
    .map(([changes, more]) => {
      const digits = [...example];
      for (const [place, other] of changes) digits[place] = other;
      return digits.join('') + more;
    });
  const national = fc.oneof({ weight: 4, arbitrary: bent }, fc.string({ unit: digit, maxLength: 15 }));
  const lead = fc.constantFrom(
    '',
    '0',
    '00',
    '+',
    `+${code}`,
    code,
    `+${code}0`,
    `${code}0`,
    `0${code}`,
    '+0',
    '++',
    '06',
    '011',
  );
  const spoil = fc.constantFrom('', '', '', '', ' ', '-', ')', '+', 'x', '٣', '\n');
  return fc.tuple(lead, spoil, national, spoil).map((parts) => parts.join(''));
}

test('for every region the short cut returns what the library returns', () => {
  let accepted = 0;
  for (const region of getCountries()) {
    const quick = createPhoneParser(region);
    const slow = createLibraryParser(region);
    const agrees = fc.property(nearMobiles(region), (written) => {
      const e164 = quick(written);
      if (e164 !== undefined) accepted += 1;
      expect([region, written, e164]).toEqual([region, written, slow(written)]);
    });
    fc.assert(agrees, { numRuns: region === 'KE' ? sized(1_000, 5_000) : sized(50, 200), seed });
  }
  expect(accepted).toBeGreaterThan(sized(300, 2_000));
});

test('whatever is accepted is E.164, and numbers of the home region read back as themselves', () => {
  const readsBack = fc.property(nearMobiles('KE'), (written) => {
    const e164 = parse(written);
    fc.pre(e164 !== undefined);
    expect(e164).toMatch(/^\+[1-9][0-9]{3,14}$/);
    // A number too short to lose its trunk zero keeps it; no channel takes such a number.
    if (/^\+254[1-9]/.test(e164)) expect(parse(e164)).toBe(e164);
  });
  fc.assert(readsBack, { numRuns: 1_000, seed });
});
