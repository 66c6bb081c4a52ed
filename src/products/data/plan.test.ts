/** The rules of a disbursement, in the order of checks, and what it stores, debits and counts. */
import { describe, expect, test } from '@jest/globals';
import {
  balanceCheck,
  type CheckRow,
  keyCheck,
  planOf,
  rateCheck,
  requestId,
  send,
  walk,
} from '../../accept/accept-testing.ts';
import { noAccount } from '../../model/plan.ts';
import { errors } from '../../platform/errors.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import { channels } from '../phone/testing.ts';
import type { Campaign } from './campaign.ts';
import type { Bundle, DisburseData } from './command.ts';
import type { DataFacts } from './facts.ts';
import * as rules from './plan.ts';

const campaign: Campaign = {
  id: 'campaign',
  status: 'Active',
  allowedDenominations: ['100MB', '1GB', '5GB'],
  expiresAtMs: null,
};
const smsService = {
  id: 'sms',
  sender: 'TARISHI',
  grant: { category: null, uses: [{ status: 'Approved' }] },
  status: 'Active',
  purpose: 'MARKETING',
  quietHours: true,
  validitySeconds: null,
} as const;
const facts: DataFacts = {
  channels,
  findSenderRules: () => [],
  campaign,
  validitySeconds: null,
  smsServiceId: 'sms',
  smsService,
  accountIds: new Map([
    ['Safaricom/1GB', '11'],
    ['Airtel/1GB', '12'],
  ]),
  smsAccountId: '10',
};

const to = (written: string, denomination: string, message?: string) => ({
  written,
  content: { denomination, message },
});
const commandTo = (...recipients: { written: string; content: Bundle }[]): DisburseData => ({
  caller: { teamId: 'team', clientId: 'client', scopes: ['message.sms.send.oneway'] },
  campaignId: 'campaign',
  smsServiceId: undefined,
  audience: 'each',
  recipients,
  receiptRequest: undefined,
  idempotency: undefined,
});
const planTo = (...recipients: { written: string; content: Bundle }[]) =>
  planOf(rules, commandTo(...recipients), facts);

describe('a request that fails a check and all later ones is rejected by that check', () => {
  type Row = CheckRow<DisburseData, DataFacts>;
  const withCommand =
    (change: Partial<DisburseData>): Row['broken'] =>
    ({ command }) => ({ command: { ...command, ...change } });
  const alsoTo =
    (written: string, denomination = '1GB'): Row['broken'] =>
    ({ command }) => ({
      command: { ...command, recipients: [...command.recipients, to(written, denomination)] },
    });
  const withFacts =
    (change: Partial<DataFacts>): Row['broken'] =>
    ({ facts: given }) => ({ facts: { ...given, ...change } });
  const withCampaign =
    (change: Partial<Campaign>): Row['broken'] =>
    ({ facts: given }) => ({ facts: { ...given, campaign: { ...campaign, ...given.campaign, ...change } } });

  const checks: Row[] = [
    {
      check: '3 scope for the SMS',
      broken: withCommand({ caller: { teamId: 'team', clientId: 'client', scopes: [] } }),
      status: 403,
      desc: 'Permission denied: the scope message.sms.send.oneway is required.',
    },
    keyCheck,
    { check: '7 numbers', broken: alsoTo('x'), status: 400, desc: 'Invalid phone numbers: x' },
    { check: '7 channels', broken: alsoTo('+999'), status: 400, desc: 'No channel for phone numbers: +999' },
    {
      check: '7 receiptRequest',
      broken: withCommand({ receiptRequest: { callbackUrl: 'here' } }),
      status: 400,
      desc: errors.invalidCallbackUrl().desc,
    },
    {
      check: '8 campaign unknown',
      broken: withFacts({ campaign: undefined }),
      status: 404,
      desc: 'Campaign campaign not found.',
    },
    {
      check: '8 campaign not active',
      broken: withCampaign({ status: 'Archived' }),
      status: 400,
      desc: 'Campaign campaign is not active. Current status: Archived',
    },
    {
      check: '8 campaign expired',
      broken: withCampaign({ expiresAtMs: 0 }),
      status: 400,
      desc: 'Campaign campaign expired at 1970-01-01T00:00:00.000Z.',
    },
    {
      check: '8 denominations',
      broken: alsoTo('0712', '10GB'),
      status: 400,
      desc: 'Campaign campaign does not allow denominations: 10GB',
    },
    {
      check: '8 SMS service unknown',
      broken: withFacts({ smsService: undefined }),
      status: 404,
      desc: 'Service sms not found.',
    },
    {
      check: '8 SMS service not active',
      broken: withFacts({ smsService: { ...smsService, status: 'Inactive' } }),
      status: 400,
      desc: 'Service sms is not active. Current status: Inactive',
    },
    rateCheck,
    balanceCheck,
  ];
  const situation = { command: commandTo(to('0711', '1GB', 'Enjoy')), facts };

  test('a request that fails none is accepted', async () => {
    expect(await send(rules, situation)).toMatchObject({ replayed: false });
  });

  testEvery(walk(rules, situation, checks))('check $check', async ({ send, status, desc }) => {
    await expect(send()).rejects.toMatchObject({ status, desc });
  });

  test('without SMS neither their scope nor their service is required', async () => {
    const command: DisburseData = {
      ...commandTo(to('0711', '1GB')),
      caller: { teamId: 'team', clientId: 'client', scopes: [] },
    };
    const given = { ...facts, smsService: undefined };
    expect(await send(rules, { command, facts: given })).toMatchObject({ replayed: false });
  });
});

const bundle = { product: 'data', units: 1, held: false };

describe('the messages', () => {
  test('a bundle costs one unit of the account for its channel and denomination', () => {
    expect(planTo(to('0711000000', '1GB'), to('0733000000', '1GB')).messages).toEqual([
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
    const planned = planTo(to('0711000000', '1GB'), to('0711000001', '1GB', 'a'.repeat(161)));
    const [, , companion, ...more] = planned.messages;
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
    expect(planned).toMatchObject({ smsServiceId: 'sms', sender: 'TARISHI' });
  });

  test('an account that the team does not have is empty', () => {
    const asked = commandTo(to('0711000000', '5GB', 'Enjoy'));
    const { messages } = planOf(rules, asked, { ...facts, smsAccountId: undefined });
    expect(messages.map(({ accountId }) => accountId)).toEqual([noAccount, noAccount]);
  });
});

describe('the response', () => {
  test.each<[string, ReturnType<typeof to>[], object]>([
    [
      'bundles by channel and denomination, every channel listed',
      [to('0711000000', '1GB'), to('0711000001', '1GB'), to('0711000002', '100MB')],
      {
        units: { Safaricom: { '1GB': 2, '100MB': 1 }, Airtel: {} },
        addresses: { Safaricom: 3, Airtel: 0 },
      },
    ],
    [
      'SMS are not counted',
      [to('0733000000', '1GB', 'a'.repeat(960))],
      { units: { Safaricom: {}, Airtel: { '1GB': 1 } }, addresses: { Safaricom: 0, Airtel: 1 } },
    ],
  ])('%s', (_rule, recipients, counts) => {
    expect(planTo(...recipients).accepted).toEqual({ requestId, ...counts });
  });
});
