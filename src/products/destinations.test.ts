/** Which numbers a team and its client may send to. */
import { expect } from '@jest/globals';
import { testEvery } from '../platform/for-every-testing.ts';
import { type Destinations, requireDestinations } from './destinations.ts';

const kenyan = '+254711000000';
const british = '+447400123456';

function kept(...limits: Destinations[]): string {
  try {
    requireDestinations([kenyan, british, 'KE.13491208655302741918'], limits);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}
const not = (...phones: string[]) => `Destinations not allowed: ${phones.join(', ')}`;

testEvery<[string, Destinations[], string]>([
  ['no limits', [{}, { allow: [], deny: [] }], ''],
  ['a country', [{ allow: ['KE'] }], not(british)],
  ['a prefix, which no user id has', [{ allow: ['+2547'] }], not(british, 'KE.13491208655302741918')],
  ['all but a country', [{ deny: ['GB'] }], not(british)],
  ['a country without a prefix of it', [{ allow: ['KE', 'GB'], deny: ['+2547'] }], not(kenyan)],
  ['what the team may, the client must too', [{ allow: ['KE', 'GB'] }, { allow: ['KE'] }], not(british)],
])('%s', (_what, limits, sentence) => {
  expect(kept(...limits)).toBe(sentence);
});
