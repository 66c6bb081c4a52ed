/** Scripts of numbers, as each product's simulated network follows them. */
import { expect, test } from '@jest/globals';
import { createNumbers, type NumberScript } from './numbers.ts';

const phone = '+254711000017';
const scripted = (steps: NumberScript['steps']) => {
  const numbers = createNumbers();
  numbers.set(phone, { steps });
  return numbers.scripts;
};

test('without a script the last four digits select the published outcome', () => {
  const { scripts } = createNumbers();
  expect(scripts.sms('+254711000001').rejected).toMatchObject({ state: 'Failed' });
  expect(scripts.sms(phone).reports).toEqual([{ state: 'Delivered', afterSeconds: 0 }]);
});

test('throttled, reported late and twice, and failed days later', () => {
  const { sms } = scripted([
    { step: 'throttle', times: 2 },
    { step: 'report', state: 'Failed', after: 'P2D', reason: 'expired' },
    { step: 'report', state: 'Delivered', after: 'PT30S', times: 2 },
  ]);
  expect(sms(phone)).toEqual({
    throttled: 2,
    reports: [
      { state: 'Delivered', afterSeconds: 30 },
      { state: 'Delivered', afterSeconds: 30 },
      { state: 'Failed', afterSeconds: 172_800, reason: 'expired' },
    ],
  });
});

test('states that a product does not have are left out; a rejection ends in Failed', () => {
  const { sms, data, chatapp } = scripted([
    { step: 'report', state: 'Sent' },
    { step: 'reject', state: 'InvalidDenomination' },
  ]);
  expect([sms(phone).reports, data(phone).reports]).toEqual([[], []]);
  expect(chatapp(phone).reports).toEqual([{ state: 'Sent', afterSeconds: 0 }]);
  expect(sms(phone).rejected).toMatchObject({ state: 'Failed' });
  expect(data(phone).rejected).toMatchObject({ state: 'InvalidDenomination' });
});
