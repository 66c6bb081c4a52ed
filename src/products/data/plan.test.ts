/** The rules of a disbursement, in the order of checks, and what it stores, debits and counts. */
import { describe, expect, test } from '@jest/globals';
import { common, planOf, requestId, send } from '../../accept/accept-testing.ts';
import * as order from '../../accept/order-testing.ts';
import { noAccount } from '../../model/plan.ts';
import { errors } from '../../platform/errors.ts';
import { service } from '../sms/testing.ts';
import type { Campaign } from './campaign.ts';
import type { DisburseData } from './command.ts';
import type { DataFacts } from './facts.ts';
import * as rules from './plan.ts';
import { campaign, facts } from './testing.ts';

const to = (written: string, denomination: string, message?: string) => ({
  written,
  content: { denomination, message },
});
const caller = { ...common.caller, scopes: ['message.sms.send.oneway'] };
const commandTo = (...recipients: ReturnType<typeof to>[]): DisburseData => ({
  ...{ ...common, caller },
  campaignId: 'campaign',
  smsServiceId: undefined,
  audience: 'each',
  recipients,
});
const planTo = (...recipients: ReturnType<typeof to>[]) => planOf(rules, commandTo(...recipients), facts);
const withCampaign = (change: Partial<Campaign>) =>
  order.withFacts<DataFacts>({ campaign: { ...campaign, ...change } });

test('a request that fails a check and all later ones is rejected by that check', () =>
  order.isKept(rules, { command: commandTo(to('0711', '1GB', 'Enjoy')), facts }, [
    [
      '3 scope for the SMS',
      order.withCommand({ caller: common.caller }),
      'Permission denied: the scope message.sms.send.oneway is required.',
    ],
    order.key,
    ['7 numbers', order.alsoTo(to('x', '1GB')), 'Invalid phone numbers: x'],
    ['7 channels', order.alsoTo(to('+999', '1GB')), 'No channel for phone numbers: +999'],
    [
      '7 receiptRequest',
      order.withCommand({ receiptRequest: { callbackUrl: 'here' } }),
      errors.invalidCallbackUrl().desc,
    ],
    ['8 campaign unknown', order.withFacts({ campaign: undefined }), 'Campaign campaign not found.'],
    [
      '8 campaign not active',
      withCampaign({ status: 'Archived', expiresAtMs: 0 }),
      'Campaign campaign is not active. Current status: Archived',
    ],
    [
      '8 campaign expired',
      withCampaign({ expiresAtMs: 0 }),
      'Campaign campaign expired at 1970-01-01T00:00:00.000Z.',
    ],
    [
      '8 denominations, once each',
      ({ command }) => ({
        command: {
          ...command,
          recipients: ['9GB', '1GB', '2GB', '9GB'].map((one) => to('0711', one, 'Enjoy')),
        },
      }),
      'Campaign campaign does not allow denominations: 9GB, 2GB',
    ],
    ['8 SMS service unknown', order.withFacts({ smsService: undefined }), 'Service service not found.'],
    [
      '8 SMS service not active',
      order.withFacts({ smsService: { ...service, status: 'Inactive' } }),
      'Service service is not active. Current status: Inactive',
    ],
    order.rate,
    order.balance,
  ]));

test('without SMS neither their scope nor their service is required, and a campaign need not end', async () => {
  const command = { ...commandTo(to('0711', '1GB')), caller: common.caller };
  const given = { ...facts, smsService: undefined, campaign: { ...campaign, expiresAtMs: null } };
  expect(await send(rules, { command, facts: given })).toMatchObject({ replayed: false });
});

describe('the messages', () => {
  const bundle = { product: 'data', units: 1, held: false, content: '1GB' };

  test('a bundle costs one unit of the account for its channel and denomination', () => {
    expect(planTo(to('0711000000', '1GB'), to('0733000000', '1GB')).messages).toEqual([
      { ...bundle, position: 0, channel: 'Safaricom', phone: '+254711000000', accountId: '11' },
      { ...bundle, position: 1, channel: 'Airtel', phone: '+254733000000', accountId: '12' },
    ]);
  });

  test('its SMS has its place, waits for it and costs one unit of the SMS account for each 160 characters', () => {
    const planned = planTo(to('0711000000', '1GB'), to('0711000001', '1GB', 'a'.repeat(161)));
    const [, , companion, ...more] = planned.messages;
    expect(more).toEqual([]);
    expect(companion).toEqual({
      ...{ product: 'sms', position: 1, channel: 'Safaricom', phone: '+254711000001' },
      ...{ content: 'a'.repeat(161), units: 2, accountId: '10', held: true },
    });
    expect(planned).toMatchObject({ smsServiceId: 'service', sender: 'TARISHI' });
  });

  test('an account that the team does not have is empty', () => {
    const asked = commandTo(to('0711000000', '5GB', 'Enjoy'));
    const { messages } = planOf(rules, asked, { ...facts, smsAccountId: undefined });
    expect(messages.map(({ accountId }) => accountId)).toEqual([noAccount, noAccount]);
  });
});

test('the response counts bundles by channel and denomination, every channel listed, and no SMS', () => {
  const asked = [to('0711000000', '1GB', 'Enjoy'), to('0711000001', '1GB'), to('0711000002', '100MB')];
  expect(planTo(...asked).accepted).toEqual({
    requestId,
    units: { Safaricom: { '1GB': 2, '100MB': 1 }, Airtel: {} },
    addresses: { Safaricom: 3, Airtel: 0 },
  });
});
