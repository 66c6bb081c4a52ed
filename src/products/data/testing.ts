/** A campaign and its facts for the tests of rules on bundles. */
import { channels } from '../phone/testing.ts';
import { service } from '../sms/testing.ts';
import type { Campaign } from './campaign.ts';
import type { DataFacts } from './facts.ts';

/** Requests arrive at 0. */
export const campaign: Campaign = {
  id: 'campaign',
  status: 'Active',
  allowedDenominations: ['100MB', '1GB', '5GB'],
  expiresAtMs: 1,
};

export const facts: DataFacts = {
  channels,
  findSenderRules: () => [],
  campaign,
  validitySeconds: null,
  smsServiceId: 'service',
  smsService: service,
  accountIds: new Map([
    ['Safaricom/1GB', '11'],
    ['Airtel/1GB', '12'],
  ]),
  smsAccountId: '10',
};
