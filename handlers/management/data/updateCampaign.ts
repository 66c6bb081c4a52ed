/** Changes a campaign. */
import { changeCampaign as change } from '../../../src/manage/messaging/campaigns.ts';
import { etagOf, instantOf, type ManagementHandler, wire } from '../operation.ts';

export const updateCampaign: ManagementHandler<'updateCampaign'> = async (
  { path, body, version, reply },
  management,
) => {
  const edit = { ...body, expiresAt: instantOf(body.expiresAt) };
  const changed = await change(management, path.campaignId, edit, version);
  return reply(200, wire(changed), etagOf(changed));
};
