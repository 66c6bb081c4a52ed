/** Parameters against the approved template: which faults are reported, how often, in which order. */
import { expect } from '@jest/globals';
import { testEvery } from '../../../platform/for-every-testing.ts';
import type { ChatAppParameter } from './parameter.ts';
import { checkParameters } from './parameters.ts';
import type { ChatAppTemplate } from './template.ts';
import { template } from './testing.ts';

const nowMs = Date.UTC(2026, 10, 21);
const picture = 'https://client.example/1.jpg';
const named = (name: string, value = 'x') => ({ type: 'BodyNamedParameter', name, value }) as const;
const at = (position: number, value = 'x') => ({ type: 'BodyPositionalParameter', position, value }) as const;
const header = (value: string) => ({ type: 'HeaderNamedParameter', name: 'h', value }) as const;
const card = (cardIndex: number, params: Extract<ChatAppParameter, { params: unknown }>['params']) =>
  ({ type: 'CarouselCardParameter', cardIndex, value: picture, params }) as const;

/** The faults as `type: sentence`. */
function faultsOf(parts: Partial<ChatAppTemplate>, params: readonly ChatAppParameter[]): string[] {
  const checked = checkParameters(template(parts), params, nowMs);
  return 'filling' in checked
    ? []
    : checked.faults.map((fault) =>
        fault.type === 'ParameterError'
          ? `${fault.parameterType}: ${fault.error}`
          : `${fault.componentType}: ${fault.error}`,
      );
}

const carousel = {
  parameterFormat: 'POSITIONAL',
  body: { text: '{{1}}' },
  carousel: {
    cards: [
      { header: { format: 'IMAGE' }, body: { text: '{{1}}' }, buttons: [] },
      { header: { format: 'IMAGE' }, body: { text: '{{1}}' }, buttons: [] },
    ],
  },
} as const satisfies Partial<ChatAppTemplate>;

const positional = { parameterFormat: 'POSITIONAL', body: { text: '{{1}}' } } as const;
const ofA = { body: { text: '{{a}}' } };
const offer = (hasExpiration: boolean) =>
  ({ category: 'MARKETING', limitedTimeOffer: { text: 'x', hasExpiration } }) as const;
const until = (value: string) => ({ type: 'LimitedTimeOfferParameter', value }) as const;
const quickReply = { type: 'QUICK_REPLY', text: 'x' } as const;
const copyCode = { type: 'COPY_CODE', text: 'y' } as const;

const rows: [string, Partial<ChatAppTemplate>, ChatAppParameter[], string[]][] = [
  [
    'what is missing comes last, in the order of the template',
    { header: { format: 'TEXT', text: '{{h}}' }, body: { text: '{{b}} {{a}}' } },
    [named('z')],
    [
      "BodyNamedParameter: Unknown parameter 'z'",
      "HeaderNamedParameter: Missing required parameter 'h'",
      "BodyNamedParameter: Missing required parameter 'b'",
      "BodyNamedParameter: Missing required parameter 'a'",
    ],
  ],
  [
    'the first of two decides the value, the second is the duplicate',
    ofA,
    [named('a', ''), named('a', 'b'), named('a', '')],
    [
      "BodyNamedParameter: Value for parameter 'a' must be non-empty",
      "BodyNamedParameter: Duplicate parameter 'a'",
    ],
  ],
  [
    'names of objects are names like any other',
    { body: { text: 'x' } },
    [named('__proto__'), named('constructor')],
    [
      "BodyNamedParameter: Unknown parameter '__proto__'",
      "BodyNamedParameter: Unknown parameter 'constructor'",
    ],
  ],
  [
    'a missing component is reported once, however many ask for it',
    { body: { text: 'x' } },
    [header('a'), { type: 'HeaderNamedParameter', name: 'i', value: '' }],
    ['HEADER: There is no HEADER component'],
  ],
  ['a body of 1024', { body: { text: 'ab{{a}}' } }, [named('a', '😀'.repeat(1022))], []],
  [
    'a body of 1025',
    { body: { text: 'ab{{a}}' } },
    [named('a', '😀'.repeat(1023))],
    ['BODY: Resolved text cannot be longer than 1024 characters'],
  ],
  [
    'a header of 61',
    { header: { format: 'TEXT', text: '{{h}}!' } },
    [header('a'.repeat(60))],
    ['HEADER: Resolved text cannot be longer than 60 characters'],
  ],
  [
    'a length is judged only when every value of the text is good',
    { body: { text: '{{a}}{{b}}{{c}}' } },
    [named('a', 'a'.repeat(1000)), named('b', 'b'.repeat(1000)), named('c', '')],
    ["BodyNamedParameter: Value for parameter 'c' must be non-empty"],
  ],
  [
    'a card of 161',
    carousel,
    [at(1), card(0, [at(1, 'a'.repeat(160))]), card(1, [at(1, 'a'.repeat(161))])],
    ['BODY: Card 1: Resolved text cannot be longer than 160 characters'],
  ],
  [
    "the carousel's parameters do not fill its cards",
    carousel,
    [at(1), card(0, []), card(1, [at(1)])],
    ["BodyPositionalParameter: Card 0: Missing required parameter '1'"],
  ],
  [
    'a card that the template lacks: its own parameters are not checked',
    carousel,
    [at(1), card(0, [at(1)]), card(1, [at(1)]), card(7, [at(9)])],
    ["CarouselCardParameter: Unknown parameter 'card 7'"],
  ],
  [
    'a category is asked for before the component',
    { category: 'UTILITY' },
    [{ type: 'OtpParameter', value: '' }, until('')],
    [
      'OtpParameter: OtpParameter is only allowed for templates of category AUTHENTICATION',
      'LimitedTimeOfferParameter: LimitedTimeOfferParameter is only allowed for templates of category MARKETING',
    ],
  ],
  [
    'a malformed name gets only that fault',
    ofA,
    [named('a'), named('a b', ''), named('')],
    ['BodyNamedParameter: Name must be a non-empty identifier using letters, digits, and underscores'],
  ],
  [
    'a position below 1',
    positional,
    [at(1), at(0)],
    ['BodyPositionalParameter: Position must be 1 or greater'],
  ],
  [
    'a card index below 0, and the same card twice',
    carousel,
    [at(1), card(0, [at(1)]), card(1, [at(1)]), card(-1, []), card(0, [at(1)])],
    [
      'CarouselCardParameter: Card index must be 0 or greater',
      "CarouselCardParameter: Duplicate parameter 'card 0'",
    ],
  ],
  [
    'a card left out',
    carousel,
    [at(1), card(0, [at(1)])],
    ["CarouselCardParameter: Missing required parameter 'card 1'"],
  ],
  [
    'a name where placeholders have positions',
    positional,
    [named('a')],
    [
      "BodyNamedParameter: Parameter 'a' is named, but the placeholders are positional",
      "BodyPositionalParameter: Missing required parameter '1'",
    ],
  ],
  [
    'a position where placeholders have names',
    ofA,
    [at(1)],
    [
      "BodyPositionalParameter: Parameter '1' is positional, but the placeholders are named",
      "BodyNamedParameter: Missing required parameter 'a'",
    ],
  ],
  [
    'components that the template lacks',
    { category: 'MARKETING' },
    [
      { type: 'MediaParameter', value: picture },
      { type: 'UrlPositionalParameter', position: 1, value: 'x' },
      { type: 'QuickReplyPayloadParameter', position: 1, value: 'x' },
      { type: 'CopyParameter', position: 1, value: 'x' },
      { type: 'CouponCodeParameter', value: 'x' },
      until('2099-01-01T00:00:00Z'),
      card(0, []),
    ],
    [
      'HEADER: There is no HEADER component',
      'BUTTONS: There is no URL button with a placeholder',
      'BUTTONS: There is no QUICK_REPLY button',
      'BUTTONS: There is no COPY_CODE button',
      'LIMITED_TIME_OFFER: There is no LIMITED_TIME_OFFER component',
      'CAROUSEL: There is no CAROUSEL component',
    ],
  ],
  [
    'a header of another form',
    { header: { format: 'IMAGE' } },
    [header('Duka'), { type: 'LocationParameter', latitude: 0, longitude: 0, value: 'Shop' }],
    [
      'HEADER: The HEADER component is IMAGE and takes no HeaderNamedParameter',
      'HEADER: The HEADER component is IMAGE and takes no LocationParameter',
      "MediaParameter: Missing required parameter 'MediaParameter'",
    ],
  ],
  [
    'a medium: its address, and a file name where no document is',
    { header: { format: 'IMAGE' } },
    [{ type: 'MediaParameter', value: 'ftp://client.example/1.jpg', filename: '1.jpg' }],
    [
      "MediaParameter: Value for parameter 'MediaParameter' must be a public http or https URL",
      'MediaParameter: Filename is only allowed for a DOCUMENT header',
    ],
  ],
  [
    'the end of an address with a space',
    { buttons: [{ type: 'URL', text: 'x', url: 'https://client.example/{{a}}' }] },
    [{ type: 'UrlNamedParameter', name: 'a', value: 'a b' }],
    ["UrlNamedParameter: Value for parameter 'a' contains forbidden characters"],
  ],
  [
    'a payload of 257, a code of 21',
    { buttons: [quickReply, copyCode] },
    [
      { type: 'QuickReplyPayloadParameter', position: 1, value: 'p'.repeat(257) },
      { type: 'CopyParameter', position: 1, value: 'c'.repeat(21) },
    ],
    [
      "QuickReplyPayloadParameter: Value for parameter '1' must not exceed 256 characters",
      "CopyParameter: Value for parameter '1' must not exceed 20 characters",
    ],
  ],
  [
    'a one-time password of 16',
    { category: 'AUTHENTICATION', buttons: [{ type: 'OTP', text: 'x' }] },
    [{ type: 'OtpParameter', value: 'o'.repeat(16) }],
    ["OtpParameter: Value for parameter 'OtpParameter' must not exceed 15 characters"],
  ],
  [
    'an offer that is over, and a coupon of 16',
    { ...offer(true), buttons: [copyCode] },
    [until('2020-01-01T00:00:00Z'), { type: 'CouponCodeParameter', value: 'c'.repeat(16) }],
    [
      "LimitedTimeOfferParameter: Value for parameter 'LimitedTimeOfferParameter' must be in the future",
      "CouponCodeParameter: Value for parameter 'CouponCodeParameter' must not exceed 15 characters",
    ],
  ],
  [
    'a card without a body',
    { carousel: { cards: [{ header: { format: 'VIDEO' }, buttons: [] }] } },
    [card(0, [at(1)])],
    ['BODY: Card 0: There is no BODY component'],
  ],
  [
    'an offer whose end is no time',
    offer(true),
    [until('tomorrow')],
    [
      "LimitedTimeOfferParameter: Value for parameter 'LimitedTimeOfferParameter' must be an RFC 3339 date-time",
    ],
  ],
  [
    'a place off the map',
    { header: { format: 'LOCATION' } },
    [{ type: 'LocationParameter', latitude: 90.5, longitude: -180.5, value: 'Shop', address: '' }],
    [
      'LocationParameter: Latitude must be between -90 and 90',
      'LocationParameter: Longitude must be between -180 and 180',
      'LocationParameter: Address must have 1 to 1024 characters and no control characters',
    ],
  ],
  [
    'an offer without an end takes none',
    offer(false),
    [until('2099-01-01T00:00:00Z')],
    ["LimitedTimeOfferParameter: Unknown parameter 'LimitedTimeOfferParameter'"],
  ],
];

testEvery(rows)('%s', (_rule, parts, params, faults) => {
  expect(faultsOf(parts, params)).toEqual(faults);
});
