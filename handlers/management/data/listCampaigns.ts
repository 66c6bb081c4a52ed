/** Lists campaigns. */
import { listCampaigns as list } from '../../../src/manage/messaging/campaigns.ts';
import { type ManagementHandler, type Part, pageOf } from '../operation.ts';

export const listCampaigns: ManagementHandler<'listCampaigns'> = async ({ query, reply }, management) => {
  const read = (part: Part) => list(management, { team: query.teamId, ...part });
  return reply(200, await pageOf('listCampaigns', query, management, read, ({ id }) => id));
};
