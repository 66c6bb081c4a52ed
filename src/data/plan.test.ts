/** What a disbursement stores and debits, and what its answer counts. */
import { describe, expect, test } from '@jest/globals';
import { noAccount } from '../intake/plan.ts';
import type { RoutedRecipient } from '../phone/route.ts';
import type { Bundle } from './command.ts';
import { countBundles, planMessages } from './plan.ts';

const facts = {
  accountIds: new Map([
    ['Safaricom/1GB', '11'],
    ['Airtel/1GB', '12'],
  ]),
  smsAccountId: '10',
};

const to = (phone: string, channel: string, denomination: string, message?: string) =>
  ({ written: phone, phone, channel, content: { denomination, message } }) as RoutedRecipient<Bundle>;

const bundle = { product: 'data', units: 1, held: false };

describe('the messages', () => {
  test('a bundle costs one unit of the account for its channel and denomination', () => {
    const recipients = [to('+254711000000', 'Safaricom', '1GB'), to('+254733000000', 'Airtel', '1GB')];
    expect(planMessages(recipients, facts)).toEqual([
      {
        ...bundle,
        position: 0,
        channel: 'Safaricom',
        phone: '+254711000000',
        content: '1GB',
        accountId: '11',
      },
      { ...bundle, position: 1, channel: 'Airtel', phone: '+254733000000', content: '1GB', accountId: '12' },
    ]);
  });

  test('its SMS has its place, waits for it and costs one unit of the SMS account for each 160 characters', () => {
    const recipients = [
      to('+254711000000', 'Safaricom', '1GB'),
      to('+254711000001', 'Safaricom', '1GB', 'a'.repeat(161)),
    ];
    const [, , companion, ...more] = planMessages(recipients, facts);
    expect(more).toEqual([]);
    expect(companion).toEqual({
      product: 'sms',
      position: 1,
      channel: 'Safaricom',
      phone: '+254711000001',
      content: 'a'.repeat(161),
      units: 2,
      accountId: '10',
      held: true,
    });
  });

  test('what the team has no account for holds nothing', () => {
    const recipients = [to('+254711000000', 'Safaricom', '5GB', 'Enjoy')];
    const planned = planMessages(recipients, { ...facts, smsAccountId: undefined });
    expect(planned.map(({ accountId }) => accountId)).toEqual([noAccount, noAccount]);
  });
});

describe('the answer', () => {
  test.each<[string, RoutedRecipient<Bundle>[], object]>([
    [
      'bundles by channel and denomination, every channel listed',
      [
        to('+254711000000', 'Safaricom', '1GB'),
        to('+254711000001', 'Safaricom', '1GB'),
        to('+254711000002', 'Safaricom', '100MB'),
      ],
      {
        units: { Safaricom: { '1GB': 2, '100MB': 1 }, Airtel: {} },
        addresses: { Safaricom: 3, Airtel: 0 },
      },
    ],
    [
      'SMS are not counted',
      [to('+254733000000', 'Airtel', '1GB', 'a'.repeat(960))],
      { units: { Safaricom: {}, Airtel: { '1GB': 1 } }, addresses: { Safaricom: 0, Airtel: 1 } },
    ],
  ])('%s', (_rule, recipients, counts) => {
    expect(countBundles(['Safaricom', 'Airtel'], planMessages(recipients, facts))).toEqual(counts);
  });
});
