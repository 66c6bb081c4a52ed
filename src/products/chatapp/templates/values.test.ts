/** The rules on single values, at their edges. */
import { describe, expect, test } from '@jest/globals';
import { testEvery } from '../../../platform/for-every-testing.ts';
import {
  filenameFaults,
  futureInstantFaults,
  mediaUrlFaults,
  parseInstant,
  placeFaults,
  textFaults,
  urlSuffixFaults,
} from './values.ts';

const value = (rule: string) => [`Value for parameter 'x' ${rule}`];
const forbidden = value('contains forbidden characters');

describe('a text', () => {
  testEvery<[string, string, string[]]>([
    ['the limit in code points', '😀'.repeat(15), []],
    ['empty', '', value('must be non-empty')],
    ['one more than the limit', '😀'.repeat(16), value('must not exceed 15 characters')],
    ['a line break', 'a\nb', forbidden],
    ['a control character of C1', 'a\u0085b', forbidden],
    ['forbidden and too long is one fault', '\t'.repeat(99), forbidden],
  ])('%s', (_rule, text, faults) => {
    expect(textFaults(text, 'x', 15)).toEqual(faults);
  });
});

describe('the end of an address', () => {
  testEvery<[string, string, string[]]>([
    ['2000 characters', 'a'.repeat(2000), []],
    ['2001 characters', 'a'.repeat(2001), value('must not exceed 2000 characters')],
    ['a space', 'a b', forbidden],
    ['a no-break space', 'a\u00a0b', forbidden],
  ])('%s', (_rule, text, faults) => {
    expect(urlSuffixFaults(text, 'x')).toEqual(faults);
  });
});

describe('the URL of a medium', () => {
  const refused = value('must be a public http or https URL');
  testEvery<[string, string, string[]]>([
    ['https', 'https://client.example/a.jpg', []],
    ['http with a port', 'http://client.example:8080/a.jpg?b#c', []],
    ['a public IPv6 address', 'https://[2606:4700::1111]/a.jpg', []],
    ['2048 characters', `https://client.example/${'a'.repeat(2025)}`, []],
    ['2049 characters', `https://client.example/${'a'.repeat(2026)}`, refused],
    ['empty', '', value('must be non-empty')],
    ['another scheme', 'ftp://client.example/a.jpg', refused],
    ['user information', 'https://a:b@client.example/a.jpg', refused],
    ['this machine', 'http://localhost/a.jpg', refused],
    ["a cloud's metadata", 'http://169.254.169.254/a.jpg', refused],
    ['a name of mDNS', 'http://printer.local/a.jpg', refused],
    ['a name of the local network', 'http://printer/a.jpg', refused],
  ])('%s', (_rule, url, faults) => {
    expect(mediaUrlFaults(url, 'x')).toEqual(faults);
  });
});

describe('a file name', () => {
  const length = ['Filename must have 1 to 240 characters and no control characters'];
  testEvery<[string, string | undefined, boolean, string[]]>([
    ['none', undefined, false, []],
    ['of a document', 'a.pdf', true, []],
    ['240 characters', 'a'.repeat(240), true, []],
    ['241 characters', 'a'.repeat(241), true, length],
    ['empty', '', true, length],
    ['a line break', 'a\nb', true, length],
    ['of no document', 'a.pdf', false, ['Filename is only allowed for a DOCUMENT header']],
  ])('%s', (_rule, filename, isDocument, faults) => {
    expect(filenameFaults(filename, isDocument)).toEqual(faults);
  });
});

describe('a place', () => {
  const latitude = 'Latitude must be between -90 and 90';
  const longitude = 'Longitude must be between -180 and 180';
  const address = 'Address must have 1 to 1024 characters and no control characters';
  testEvery<[string, Parameters<typeof placeFaults>[0], string[]]>([
    ['the north-east corner', { latitude: 90, longitude: 180 }, []],
    ['the south-west corner', { latitude: -90, longitude: -180, address: 'a' }, []],
    ['too far north', { latitude: 90.001, longitude: 0 }, [latitude]],
    ['too far west', { latitude: 0, longitude: -180.001 }, [longitude]],
    ['all at once', { latitude: -91, longitude: 181, address: '' }, [latitude, longitude, address]],
    ['a long address', { latitude: 0, longitude: 0, address: 'a'.repeat(1025) }, [address]],
  ])('%s', (_rule, place, faults) => {
    expect(placeFaults(place)).toEqual(faults);
  });
});

describe('an instant', () => {
  const nowMs = Date.UTC(2026, 10, 21, 9, 30);
  const noInstant = value('must be an RFC 3339 date-time');
  testEvery<[string, string, string[]]>([
    ['a millisecond ahead', '2026-11-21T09:30:00.001Z', []],
    ['ahead in its own zone', '2026-11-21T12:30:01+03:00', []],
    ['lowercase letters', '2026-11-21t09:30:01z', []],
    ['a leap day', '2028-02-29T00:00:00Z', []],
    ['now', '2026-11-21T09:30:00Z', value('must be in the future')],
    ['past in its own zone', '2026-11-21T12:29:59+03:00', value('must be in the future')],
    ['empty', '', value('must be non-empty')],
    ['an hour that does not exist', '2027-01-01T24:00:00Z', noInstant],
    ['no zone', '2026-11-22T00:00:00', noInstant],
    ['a day that does not exist', '2027-02-29T00:00:00Z', noInstant],
    ['a leap second', '2026-12-31T23:59:60Z', noInstant],
  ])('%s', (_rule, text, faults) => {
    expect(futureInstantFaults(text, 'x', nowMs)).toEqual(faults);
  });

  test('is read to the millisecond', () => {
    expect(parseInstant('2026-11-21T12:30:00.250+03:00')).toBe(nowMs + 250);
  });
});
