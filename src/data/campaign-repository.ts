/** Stores campaigns. */
import type { Knex } from 'knex';
import { byTeam } from '../db/by-team.ts';
import { insertNew } from '../db/insert.ts';
import type { Campaign, Frequency } from './campaign.ts';

export interface StoredCampaign {
  id: string;
  teamId: string;
  /** The SMS service of messages that accompany its bundles, if a request names no other. */
  serviceId: string;
  status: Campaign['status'];
  allowedDenominations: readonly string[];
  frequency: Frequency;
  expiresAt: Date | null;
}

/** False when the id is taken. */
export async function insertCampaign(
  knex: Knex,
  campaign: StoredCampaign & { name: string },
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
export async function listCampaigns(knex: Knex, teamId: string | undefined): Promise<StoredCampaign[]> {
  return campaigns(knex).modify(byTeam, teamId);
}

export async function findCampaign(knex: Knex, id: string): Promise<StoredCampaign | undefined> {
  return campaigns(knex).where({ id }).first();
}

export type CampaignChange = {
  [Name in 'status' | 'serviceId' | 'allowedDenominations' | 'frequency' | 'expiresAt']:
    | StoredCampaign[Name]
    | undefined;
} & { name: string | undefined };

/** What is undefined stays. False when there is no such campaign. */
export async function updateCampaign(knex: Knex, id: string, change: CampaignChange): Promise<boolean> {
  const { name, status, serviceId, allowedDenominations, frequency, expiresAt } = change;
  const updated = await knex('campaigns')
    .where({ id })
    .update({
      name,
      status,
      service_id: serviceId,
      allowed_denominations: allowedDenominations && JSON.stringify(allowedDenominations),
      frequency,
      expires_at: expiresAt,
    });
  return updated > 0;
}

/** False when there is no such campaign. */
export async function setCampaignStatus(
  knex: Knex,
  id: string,
  status: Campaign['status'],
): Promise<boolean> {
  return (await knex('campaigns').where({ id }).update({ status })) > 0;
}

function campaigns(knex: Knex) {
  return knex('campaigns').select(
    'id',
    'team_id as teamId',
    'service_id as serviceId',
    'status',
    'allowed_denominations as allowedDenominations',
    'frequency',
    'expires_at as expiresAt',
  );
}
