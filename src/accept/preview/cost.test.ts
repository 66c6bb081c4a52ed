/** What a plan costs each account, and what is left. */
import { expect, test } from '@jest/globals';
import type { PlannedMessage } from '../../model/plan.ts';
import { planOfSms } from '../plan-testing.ts';
import { costOf, shortages } from './cost.ts';

const message = (change: Partial<PlannedMessage>) =>
  planOfSms({ messages: [{ units: 2, accountId: '1', ...change }] }).messages[0] as PlannedMessage;

test('units add up by account; an account that is exactly enough is left with 0', () => {
  const bundle = message({ product: 'data', content: '1GB', units: 1 });
  const balances = new Map([
    ['sms ', 4],
    ['data Safaricom/1GB', 0],
  ]);
  const costs = costOf(
    [message({}), bundle, message({ channel: 'Airtel' })],
    ({ product, channel, content }) => (product === 'data' ? `${channel}/${content}` : ''),
    balances,
  );
  expect(costs).toEqual([
    { product: 'Sms', units: 4, balance: 4, remaining: 0 },
    { product: 'MobileData', channel: 'Safaricom', denomination: '1GB', units: 1, balance: 0 },
  ]);
  expect(shortages(costs)).toEqual([
    { code: 'insufficient-units', desc: 'Insufficient units for 1 unit(s) requested.' },
  ]);
});

test('unbilled messages cost no account anything; an account that does not exist is empty', () => {
  const unbilled = message({ product: 'chatapp', units: 0, accountId: null });
  expect(costOf([unbilled], () => 'UTILITY', new Map())).toEqual([]);
  const billed = message({ product: 'chatapp', units: 1, accountId: '0' });
  expect(costOf([billed], () => 'UTILITY', new Map())).toEqual([
    { product: 'ChatApp', category: 'UTILITY', units: 1, balance: 0 },
  ]);
});
