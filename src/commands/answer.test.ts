/** Answers are tables for people and JSON for programs. */
import { expect, test } from '@jest/globals';
import { renderJson, renderText } from './answer.ts';

const list = [
  { client: 'orders', team: 'acme', scopes: ['a', 'b'], enabled: true, units: 12, note: null },
  { client: 'Ω', team: 'a', scopes: [], enabled: false, units: 1_000, note: 'x\u001b[2Jy' },
];

test('a table, without anything that drives the terminal', () => {
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

test('JSON keeps what is there', () => {
  expect(JSON.parse(renderJson({ list }))).toEqual(list);
});
