/** Which texts are words such as STOP, and what is replied. */
import { describe, expect, test } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { askedBy, type ServiceWord } from './words.ts';

const actionOf = (text: string, words: readonly ServiceWord[] = []) => askedBy(text, words, 'ACME')?.action;

testEvery([
  ['STOP', 'OptOut'],
  [' stop\r\n', 'OptOut'],
  ['Opt  Out', 'OptOut'],
  ['arre\u0302t', 'OptOut'],
  ['acha', 'OptOut'],
  ['Start', 'OptIn'],
  ['Msaada', 'Help'],
])('%j: %s', (text, action) => {
  expect(actionOf(text)).toBe(action);
});

testEvery(['', 'STOP it', 'please stop', 'STOP.', '__proto__'])('%j is no word', (text) => {
  expect(askedBy(text, [], 'ACME')).toBeUndefined();
});

test('the confirmation is in the language of the word, with the sender', () => {
  expect(askedBy('stop', [], 'ACME')?.reply).toBe(
    'You will get no more offers from ACME. Reply START to get them again.',
  );
  expect(askedBy('acha', [], 'ACME')?.reply).toContain('Hutapokea tena matangazo ya ACME');
});

describe('words of a service', () => {
  const words: ServiceWord[] = [
    { word: 'Basi', action: 'OptOut', reply: 'Sawa.' },
    { word: 'END', action: 'Help' },
    { word: 'stop', action: 'Help', reply: 'Goodbye.' },
  ];

  test('go before the others', () => {
    expect(askedBy('BASI', words, 'ACME')).toEqual({ action: 'OptOut', reply: 'Sawa.' });
    expect(actionOf('end', words)).toBe('Help');
    expect(actionOf('quit', words)).toBe('OptOut');
  });

  test('may change what STOP is answered with, but not what it does', () => {
    expect(askedBy('STOP', words, 'ACME')).toEqual({ action: 'OptOut', reply: 'Goodbye.' });
  });
});
