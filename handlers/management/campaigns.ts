/** Campaigns. */
import { campaigns } from '../../src/manage/messaging/campaigns.ts';
import { changes, creates, gets, lists } from './resource.ts';

export const listCampaigns = lists('listCampaigns', campaigns);
export const createCampaign = creates('createCampaign', campaigns, '/campaigns/');
export const getCampaign = gets('getCampaign', campaigns, 'campaignId');
export const updateCampaign = changes('updateCampaign', campaigns, 'campaignId');
