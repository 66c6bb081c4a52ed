/** What counts as the same request, and what does not. */
import { expect, test } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { fingerprintOf } from './fingerprint.ts';

const of = (json: string, path = '/message/a') => fingerprintOf(path, JSON.parse(json));

testEvery<[string, string, string]>([
  ['white space', '{ "a" : 1 }', '{"a":1}'],
  ['the order of properties', '{"a":1,"b":2}', '{"b":2,"a":1}'],
  ['the order of properties further in', '{"a":[{"b":1,"c":2}]}', '{"a":[{"c":2,"b":1}]}'],
  ['escapes', '{"a":"\\u00e9"}', '{"a":"é"}'],
])('%s makes no difference', (_rule, one, other) => {
  expect(of(one)).toBe(of(other));
});

testEvery<[string, string, string]>([
  ['a value', '{"a":1}', '{"a":2}'],
  ['a type', '{"a":1}', '{"a":"1"}'],
  ['the order of a list', '{"a":[1,2]}', '{"a":[2,1]}'],
  ['a list and an object', '{"a":["x"]}', '{"a":{"0":"x"}}'],
  ['another property', '{"a":1}', '{"a":1,"b":null}'],
  ['a property named __proto__', '{"a":1}', '{"a":1,"__proto__":{}}'],
])('%s makes a difference', (_rule, one, other) => {
  expect(of(one)).not.toBe(of(other));
});

test('the path makes a difference', () => {
  expect(of('{}', '/message/a')).not.toBe(of('{}', '/message/b'));
});

test('a fingerprint names its version: if this one changes, raise the version', () => {
  expect(fingerprintOf('/message/a', { b: 1, a: ['é', { d: null, c: true }] })).toBe(
    '1:f2be6b0281e86263cbe1af7e1511e9cc40480e9aa3ac79125d1aea3760bd61b1',
  );
});
