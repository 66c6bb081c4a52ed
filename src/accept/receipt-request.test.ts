/** The rules of receiptRequest, and that the published schema allows no less. */

import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { readDocument } from '../contract/document.ts';
import type { ReceiptRequest } from '../model/plan.ts';
import { testEvery } from '../platform/for-every-testing.ts';
import { longestOrigin, originOf } from '../receipts/callback/callback-url.ts';
import { createDestinations } from '../receipts/callback/destination.ts';
import { createReceiptRequestCheck } from './receipt-request.ts';

const seed = Number(process.env.SEED);

const checkReceiptRequest = createReceiptRequestCheck(createDestinations({ allowLoopback: false }));

const correlatorRule = 'receiptRequest.correlator must have 1 to 100 characters.';
const callbackUrlRule =
  'receiptRequest.callbackUrl must be an absolute http or https URL of at most 2048 characters without user information.';
const callbackAddressRule = 'receiptRequest.callbackUrl must not name a private or reserved IP address.';

/** Three labels of 63 characters and one of 61. */
const longName = [63, 63, 63, 61].map((length) => 'a'.repeat(length)).join('.');

describe('accepted', () => {
  testEvery<[string, ReceiptRequest]>([
    ['nothing requested', {}],
    ['a correlator alone', { correlator: 'order-17' }],
    ['a correlator of one character', { correlator: ' ' }],
    ['a correlator of 100 characters, each two code units long', { correlator: '😀'.repeat(100) }],
    ['a scheme in capitals', { callbackUrl: 'HTTPS://example.com/' }],
    ['a port, a query, a fragment', { callbackUrl: "https://example.com:8443/a/b;c=1?d=e%20f&g='h'#i/?" }],
    ['a name whose address is judged later', { callbackUrl: 'http://localhost/' }],
    ['a name of 253 characters', { callbackUrl: `https://${longName}/` }],
    ['a percent-encoded name', { callbackUrl: 'https://b%C3%BCcher.example/' }],
    ['an IPv6 host', { callbackUrl: 'http://[2606:4700:4700::1111]:8080/' }],
    ['an at sign in the path', { callbackUrl: 'https://example.com/@me?to=a@b' }],
    ['2048 characters', { callbackUrl: `https://example.com/${'a'.repeat(2048 - 20)}` }],
  ])('%s', (_rule, request) => {
    expect(checkReceiptRequest(request)).toStrictEqual(request);
  });

  test('an absent object requests nothing', () => {
    expect(checkReceiptRequest(undefined)).toStrictEqual({});
  });
});

describe('refused', () => {
  testEvery([
    ['empty', ''],
    ['101 characters of two code units each', '😀'.repeat(101)],
  ])('correlator: %s', (_rule, correlator) => {
    expect(() => checkReceiptRequest({ correlator })).toThrow(correlatorRule);
  });

  testEvery([
    ['empty', ''],
    ['no scheme', 'example.com/receipts'],
    ['no host', 'https://'],
    ['another scheme', 'ftp://example.com/'],
    ['user and password', 'https://user:secret@example.com/'],
    ['empty user information', 'https://@example.com/'],
    ['a space', 'https://example.com/a b'],
    ['a line break inside, which a URL parser drops', 'https://exam\nple.com/'],
    ['a line break at the end', 'https://example.com/\n'],
    ['a backslash', 'https://example.com\\@127.0.0.1/'],
    ['letters beyond ASCII', 'https://bücher.example/'],
    ['a stray percent sign', 'https://example.com/100%'],
    ['a port that does not exist', 'https://example.com:65536/'],
    ['port 0', 'https://example.com:0/'],
    ['an empty label', 'https://example..com/'],
    ['a dot alone', 'https://./'],
    ['a label of 64 characters once it is Punycode', `https://${'%E3%8D%BF'.repeat(12)}.example/`],
    ['a name of 254 characters', `https://${longName}a/`],
    ['2049 characters', `https://example.com/${'a'.repeat(2049 - 20)}`],
  ])('callbackUrl: %s', (_rule, callbackUrl) => {
    expect(() => checkReceiptRequest({ callbackUrl })).toThrow(callbackUrlRule);
  });
});

test('loopback is accepted where callbacks may reach it, other private addresses are not', () => {
  const check = createReceiptRequestCheck(createDestinations({ allowLoopback: true }));
  const callbackUrl = 'http://127.0.0.1:4000/';
  expect(check({ callbackUrl })).toStrictEqual({ callbackUrl });
  expect(() => check({ callbackUrl: 'http://10.0.0.1/' })).toThrow(callbackAddressRule);
  expect(() => checkReceiptRequest({ callbackUrl })).toThrow(callbackAddressRule);
});

function accepts(request: ReceiptRequest): boolean {
  try {
    checkReceiptRequest(request);
    return true;
  } catch {
    return false;
  }
}

describe('what the rule accepts, the published schema accepts', () => {
  const document = readDocument('openapi');
  const ajv = new Ajv2020({ keywords: ['x-enforced-by', 'x-errors', 'example'] });
  addFormats.default(ajv);
  const validate = ajv.compile(document.components.schemas.ReceiptRequest);

  const uriPart = fc.string({
    unit: fc.constantFrom(...'aZ0-._~:/?#[]@!$&\'()*+,;=% "<>\\^`{|}\té😀', '%41', '%zz', '..', '::'),
    maxLength: 12,
  });
  const host = fc.oneof(
    fc.domain(),
    fc.ipV4(),
    fc.ipV4Extended(),
    fc.ipV6().map((address) => `[${address}]`),
    uriPart,
    // Grows or shrinks as it becomes Punycode.
    fc
      .array(fc.constantFrom('%E3%8D%BF', '%C3%BC', 'a'.repeat(20), 'a', '.', '%2E', '1'), { maxLength: 40 })
      .map((parts) => parts.join('')),
  );
  const port = fc.oneof(
    fc.constant(''),
    fc.nat({ max: 70_000 }).map((n) => `:${n}`),
    uriPart,
  );
  const bentUrl = fc
    .tuple(fc.constantFrom('http', 'https', 'HTTP', 'ftp'), host, port, uriPart, uriPart)
    .map(([scheme, name, place, path, rest]) => `${scheme}://${name}${place}/${path}${rest}`);
  const longUrl = fc
    .integer({ min: 2040, max: 2056 })
    .map((length) => 'https://example.com/'.padEnd(length, 'a'));
  const url = fc.oneof(
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    { weight: 4, arbitrary: bentUrl },
    longUrl,
    fc.webUrl().chain((text) => fc.constantFrom(` ${text}`, `${text}\n`, text.toUpperCase())),
    fc.string({ unit: 'binary' }),
  );

  test('any URL', () => {
    let accepted = 0;
    let refused = 0;
    fc.assert(
      fc.property(url, (callbackUrl) => {
        if (!accepts({ callbackUrl })) refused += 1;
        else {
          accepted += 1;
          expect(originOf(callbackUrl)?.length).toBeLessThanOrEqual(longestOrigin);
          expect([callbackUrl, validate({ callbackUrl })]).toStrictEqual([callbackUrl, true]);
        }
      }),
      { numRuns: 5_000, seed },
    );
    // Otherwise the property says little.
    expect(accepted).toBeGreaterThan(500);
    expect(refused).toBeGreaterThan(500);
  });

  test('any correlator, and then the other way round', () => {
    const correlator = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 3 }),
      fc.string({ unit: 'binary', minLength: 98, maxLength: 103 }),
      fc.string({ unit: fc.constantFrom('😀', 'a', '\ud83d', '\ude00'), minLength: 95, maxLength: 110 }),
    );
    fc.assert(
      fc.property(correlator, (text) => {
        expect(accepts({ correlator: text })).toBe(validate({ correlator: text }));
      }),
      { numRuns: 2_000, seed },
    );
  });
});
