/** Settings written on a command line become what they say, or a sentence about what is wrong. */
import { describe, expect } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { changedSettings, parseSettings } from './written-settings.ts';

describe('settings', () => {
  const before = { host: 'a', names: { request: { reference: 'ref' } } };
  testEvery([
    ['a new one', ['port=2775'], [], { ...before, port: '2775' }],
    ['one with = in it', ['host=a=b'], [], { ...before, host: 'a=b' }],
    ['an empty one', ['host='], [], { ...before, host: '' }],
    [
      'a part',
      ['names.request.msisdn=to'],
      [],
      { host: 'a', names: { request: { reference: 'ref', msisdn: 'to' } } },
    ],
    ['parts of something new', ['retry.max=3'], [], { ...before, retry: { max: '3' } }],
    ['JSON', ['list=[1,2]', 'map={"a":true}'], [], { ...before, list: [1, 2], map: { a: true } }],
    ['one less', [], ['names.request.reference'], { host: 'a', names: { request: {} } }],
    ['one instead', ['host=b'], ['names'], { host: 'b' }],
  ])('%s', (_name, set, unset, after) => {
    expect(changedSettings(before, set, unset)).toEqual(after);
    expect(before.names.request).toEqual({ reference: 'ref' });
  });

  testEvery([
    [['host'], [], '"host" is not a setting: write name=value'],
    [['=x'], [], '"=x" is not a setting: write name=value'],
    [['host.name=x'], [], 'setting "host" has no parts'],
    [['a={x'], [], 'setting "a" must be valid JSON'],
    [['__proto__.x=1'], [], 'unknown setting "__proto__.x"'],
    [['constructor=1'], [], 'unknown setting "constructor"'],
    [[], ['port'], 'setting "port" is not set'],
  ])('%j %j: %s', (set, unset, sentence) => {
    expect(() => changedSettings(before, set, unset)).toThrow(new Error(sentence));
  });
});

testEvery([
  ['{"a":1}', { a: 1 }],
  ['[]', 'the settings are not a JSON object'],
  ['null', 'the settings are not a JSON object'],
  ['{', 'the settings must be valid JSON'],
])('a file with %s', (text, expected) => {
  if (typeof expected === 'string') expect(() => parseSettings(text)).toThrow(new Error(expected));
  else expect(parseSettings(text)).toEqual(expected);
});
