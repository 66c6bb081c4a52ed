/** Stores campaigns. */
import type { Knex } from 'knex';
import { byTeam, type Part } from '../db/by-team.ts';
import { insertNew } from '../db/insert.ts';
import { updateRow } from '../db/update-row.ts';
import type { Campaign, Frequency } from './campaign.ts';

export interface StoredCampaign {
  id: string;
  teamId: string;
  name: string;
  /** The SMS service of messages that accompany its bundles, if a request names no other. */
  serviceId: string;
  status: Campaign['status'];
  allowedDenominations: readonly string[];
  frequency: Frequency;
  expiresAt: Date | null;
  createdAt: Date;
}

/** False when the id is taken. */
export async function insertCampaign(
  knex: Knex,
  campaign: Omit<StoredCampaign, 'createdAt'>,
): Promise<boolean> {
  return insertNew(knex, 'campaigns', {
    id: campaign.id,
    team_id: campaign.teamId,
    name: campaign.name,
    status: campaign.status,
    service_id: campaign.serviceId,
    allowed_denominations: JSON.stringify(campaign.allowedDenominations),
    frequency: campaign.frequency,
    expires_at: campaign.expiresAt,
  });
}

/** Of one team, or of all. */
export async function listCampaigns(knex: Knex, part: Part): Promise<StoredCampaign[]> {
  return campaigns(knex).modify(byTeam, part);
}

export async function findCampaign(knex: Knex, id: string): Promise<StoredCampaign | undefined> {
  return campaigns(knex).where({ id }).first();
}

export type CampaignChange = {
  [Name in 'name' | 'status' | 'serviceId' | 'allowedDenominations' | 'frequency' | 'expiresAt']:
    | StoredCampaign[Name]
    | undefined;
};

/** What is undefined stays. */
export async function updateCampaign(knex: Knex, id: string, change: CampaignChange): Promise<void> {
  const { name, status, serviceId, allowedDenominations, frequency, expiresAt } = change;
  await updateRow(
    knex,
    'campaigns',
    { id },
    {
      name,
      status,
      service_id: serviceId,
      allowed_denominations: allowedDenominations && JSON.stringify(allowedDenominations),
      frequency,
      expires_at: expiresAt,
    },
  );
}

function campaigns(knex: Knex) {
  return knex('campaigns').select(
    'id',
    'team_id as teamId',
    'name',
    'service_id as serviceId',
    'status',
    'allowed_denominations as allowedDenominations',
    'frequency',
    'expires_at as expiresAt',
    'created_at as createdAt',
  );
}
