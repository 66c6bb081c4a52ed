/** Values are shown in the words of people, not of the API. */
import { expect, test } from '@jest/globals';
import { createTimes } from './times.ts';
import { show, showOf, wordOf } from './values.ts';

const page = { may: () => false, times: createTimes('UTC'), now: Date.parse('2026-11-26T09:00:00Z') };
const textOf = (content: unknown) => (content as { text: string }).text?.replace(/<[^>]*>/g, '');

test('what is active until a time that is over has expired', () => {
  const stateOf = (expiresAt: string | undefined) =>
    textOf(showOf({ status: 'Active', expiresAt }, 'status', {}, page));
  expect(['2026-11-26T08:59:59Z', '2026-11-26T09:00:01Z', undefined].map(stateOf)).toEqual([
    'Expired',
    'Active',
    'Active',
  ]);
});

test('what a connector is used for', () => {
  const uses = ['Sms/Safaricom', 'MobileData/Airtel', 'ChatApp/1065'];
  expect(uses.map((use) => show('uses', {}, use, page))).toEqual([
    'SMS for Safaricom',
    'bundles for Airtel',
    'Chat app for 1065',
  ]);
});

test('words of enumerations', () => {
  expect(['MARKETING', 'QUICK_REPLY', 'URL', 'Sms', 'PlainText'].map(wordOf)).toEqual([
    'Marketing',
    'Quick reply',
    'URL',
    'SMS',
    'PlainText',
  ]);
});
