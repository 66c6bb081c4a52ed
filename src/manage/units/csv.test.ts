/** A statement as CSV says what it says, to spreadsheets too. */
import { expect, test } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { csvOf } from './statements.ts';

const entry = {
  position: 1,
  id: '1',
  at: '2027-01-01T00:00:00Z',
  units: -5,
  balance: 0,
  reason: 'Correction',
  hash: 'a',
};
const lineOf = (note: string) =>
  csvOf({ entries: [{ ...entry, note, reference: note }] } as never).split('\r\n')[1];

testEvery(['=1+1', '+1', '@SUM(A1)', '-1+1', '=HYPERLINK(A1)'])('%s is no formula', (note) => {
  expect(lineOf(note)).toBe(`1,1,2027-01-01T00:00:00Z,-5,0,Correction,,,'${note},'${note},a`);
});

test('other texts and numbers below zero stay as they are', () => {
  expect(lineOf('1=1')).toBe('1,1,2027-01-01T00:00:00Z,-5,0,Correction,,,1=1,1=1,a');
});
