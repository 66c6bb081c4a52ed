/** Demo data for mobile data: units for some denominations, and campaigns of every frequency and status. */
import type { Knex } from 'knex';
import type { Frequency } from '../products/data/campaign.ts';
import { seedUnits } from './units.ts';

export interface DemoData {
  campaigns: Record<
    'open' | 'expired' | 'archived' | 'oneTime' | 'hourly' | 'daily' | 'weekly' | 'monthly',
    string
  >;
}

export const denominations = ['100MB', '500MB', '1GB'];

interface DemoCampaign {
  id: string;
  frequency?: Frequency;
  status?: 'Archived';
  expires_at?: string;
}

const campaigns: { [Kind in keyof DemoData['campaigns']]: DemoCampaign } = {
  open: { id: 'demo-open' },
  expired: { id: 'demo-expired', expires_at: '2020-01-01T00:00:00.000Z' },
  archived: { id: 'demo-archived', status: 'Archived' },
  oneTime: { id: 'demo-one-time', frequency: 'OneTime' },
  hourly: { id: 'demo-hourly', frequency: 'Hourly' },
  daily: { id: 'demo-daily', frequency: 'Daily' },
  weekly: { id: 'demo-weekly', frequency: 'Weekly' },
  monthly: { id: 'demo-monthly', frequency: 'Monthly' },
};

/** The demo team's campaigns, which all allow the same denominations. */
export async function seedCampaigns(trx: Knex.Transaction, smsServiceId: string): Promise<DemoData> {
  await trx('campaigns').insert(
    Object.values(campaigns).map((campaign) => ({
      frequency: 'Unlimited',
      status: 'Active',
      expires_at: null,
      ...campaign,
      team_id: 'demo',
      service_id: smsServiceId,
      name: campaign.id,
      allowed_denominations: JSON.stringify(denominations),
    })),
  );
  const ids = Object.entries(campaigns).map(([kind, { id }]) => [kind, id]);
  return { campaigns: Object.fromEntries(ids) };
}

/** Bundles of every demo denomination on every channel. */
export async function seedBundles(
  trx: Knex.Transaction,
  channelNames: readonly string[],
  units: number,
): Promise<void> {
  for (const channel of channelNames)
    for (const denomination of denominations)
      await seedUnits(trx, { product: 'data', variant: `${channel}/${denomination}` }, units);
}
