/** Adds a campaign. */
import { createCampaign as create } from '../../../src/manage/messaging/campaigns.ts';
import { etagOf, instantOf, type ManagementHandler, ownerOf, wire } from '../operation.ts';

export const createCampaign: ManagementHandler<'createCampaign'> = async (
  { body, caller, reply },
  management,
) => {
  const { expiresAt, ...campaign } = body;
  const teamId = ownerOf(body, caller);
  const created = await create(management, { ...campaign, teamId, expiresAt: instantOf(expiresAt) });
  return reply(201, wire(created), etagOf(created));
};
