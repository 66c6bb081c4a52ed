/** `own` finds no inherited property; `npm run check -- patterns` finds look-ups without it. */
import { expect } from '@jest/globals';
import { testEvery } from '../for-every-testing.ts';
import { own } from './own.ts';

testEvery(Object.getOwnPropertyNames(Object.prototype))('%s', (word) => {
  expect(own({ known: 1 }, word)).toBeUndefined();
  expect(own({ [word]: 1, known: 1 }, 'known')).toBe(1);
});
