/** Gets a campaign. */
import { getCampaign as get } from '../../../src/manage/messaging/campaigns.ts';
import { etagOf, type ManagementHandler, wire } from '../operation.ts';

export const getCampaign: ManagementHandler<'getCampaign'> = async ({ path, reply }, management) => {
  const found = await get(management, path.campaignId);
  return reply(200, wire(found), etagOf(found));
};
