/** The output is a table for people and JSON for programs. */
import { expect, test } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { renderJson, renderText, visible, visibleStream } from './answer.ts';

const list = [
  { client: 'orders', team: 'acme', scopes: ['a', 'b'], enabled: true, units: 12, note: null },
  { client: 'Ω', team: 'a', scopes: [], enabled: false, units: 1_000, note: 'x\u001b[2Jy' },
];

test('a table, without control characters', () => {
  expect(renderText({ list })).toBe(
    [
      'CLIENT  TEAM  SCOPES  ENABLED  UNITS  NOTE',
      'orders  acme  a b     yes      12     -',
      'Ω       a     -       no       1000   x\uFFFD[2Jy',
      '',
    ].join('\n'),
  );
});

test('an empty table', () => {
  expect(renderText({ list: [] })).toBe('none\n');
  expect(renderJson({ list: [] })).toBe('[]\n');
});

test('one thing, with a note for people', () => {
  const answer = { one: { clientId: 'orders', clientSecret: 's3' }, note: 'Shown once.' };
  expect(renderText(answer)).toBe('client id      orders\nclient secret  s3\n\nShown once.\n');
  expect(JSON.parse(renderJson(answer))).toEqual(answer.one);
});

const codes = [
  0x00, 0x07, 0x08, 0x09, 0x0a, 0x0d, 0x1b, 0x7f, 0x80, 0x85, 0x9b, 0x9f, 0x061c, 0x200e, 0x200f, 0x2028,
  0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069,
];

testEvery(codes.map((code) => [`U+${code.toString(16).padStart(4, '0')}`, String.fromCharCode(code)]))(
  'stored values cannot control the terminal or hide parts of themselves: %s',
  (_name, character) => {
    const one = { name: `x${character}y` };
    expect(renderText({ one })).toBe('name  x\uFFFDy\n');
    expect(renderText({ list: [one] })).toBe('NAME\nx\uFFFDy\n');
    expect(renderJson({ one })).toMatch(/^\{\n {2}"name": "x\\[\w]+y"\n\}\n$/);
    expect(JSON.parse(renderJson({ one }))).toEqual(one);
    expect(visible(`x${character}y`)).toBe(character === '\n' ? 'x\ny' : 'x\uFFFDy');
    if (!'\n\t'.includes(character))
      expect(visibleStream(`"x${character}y"\r\n`)).not.toContain(character === '\r' ? '\ry' : character);
  },
);
