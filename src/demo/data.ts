/** Demo data for mobile data: units for some denominations, and a campaign of every kind. */
import type { Knex } from 'knex';
import type { Frequency } from '../data/campaign.ts';
import { seedUnits } from './units.ts';

export interface DemoData {
  campaigns: Record<
    'open' | 'expired' | 'archived' | 'oneTime' | 'hourly' | 'daily' | 'weekly' | 'monthly' | 'serviceOff',
    string
  >;
}

export const denominations = ['100MB', '500MB', '1GB'];
const offServiceId = 'demo-sms-off';

interface DemoCampaign {
  id: string;
  frequency?: Frequency;
  status?: 'Archived';
  expires_at?: string;
  service_id?: string;
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
  serviceOff: { id: 'demo-service-off', service_id: offServiceId },
};

/** The demo team's campaigns. Its SMS service is there already; one that is switched off comes with them. */
export async function seedCampaigns(trx: Knex.Transaction, smsServiceId: string): Promise<DemoData> {
  await trx('services').insert({
    id: offServiceId,
    team_id: 'demo',
    name: 'SMS, switched off',
    sender: 'TARISHI',
    status: 'Inactive',
  });
  for (const campaign of Object.values(campaigns)) await insertCampaign(trx, 'demo', smsServiceId, campaign);
  const ids = Object.entries(campaigns).map(([kind, { id }]) => [kind, id]);
  return { campaigns: Object.fromEntries(ids) };
}

/** A campaign that allows all of the demo's denominations, as often as one likes. Answers its id. */
export async function seedOpenCampaign(
  trx: Knex.Transaction,
  teamId: string,
  smsServiceId: string,
): Promise<string> {
  const id = `${teamId}-open`;
  await insertCampaign(trx, teamId, smsServiceId, { id });
  return id;
}

/** A team's bundles of every demo denomination on every channel. */
export async function seedBundles(
  trx: Knex.Transaction,
  teamId: string,
  channelNames: readonly string[],
  units: number,
): Promise<void> {
  for (const channel of channelNames)
    for (const denomination of denominations)
      await seedUnits(trx, { teamId, product: 'data', variant: `${channel}/${denomination}` }, units);
}

async function insertCampaign(
  trx: Knex.Transaction,
  teamId: string,
  smsServiceId: string,
  campaign: DemoCampaign,
): Promise<void> {
  await trx('campaigns').insert({
    frequency: 'Unlimited',
    service_id: smsServiceId,
    ...campaign,
    team_id: teamId,
    name: campaign.id,
    allowed_denominations: JSON.stringify(denominations),
  });
}
