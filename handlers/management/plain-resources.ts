/** The resources that are listed, read, created and changed as their definitions say, and nothing else. */
import { teams } from '../../src/manage/access/teams.ts';
import { campaigns } from '../../src/manage/messaging/campaigns.ts';
import { chatAppSenders } from '../../src/manage/messaging/chatapp-senders.ts';
import { chatAppServices } from '../../src/manage/messaging/chatapp-services.ts';
import { quietHours } from '../../src/manage/messaging/quiet-hours.ts';
import { senderRules } from '../../src/manage/messaging/sender-rules.ts';
import { smsServices } from '../../src/manage/messaging/sms-services.ts';
import { changes, creates, gets, lists } from './resource.ts';

export const listTeams = lists('listTeams', teams);
export const createTeam = creates('createTeam', teams, '/teams/');
export const getTeam = gets('getTeam', teams, 'teamId');
export const updateTeam = changes('updateTeam', teams, 'teamId');

export const listSmsServices = lists('listSmsServices', smsServices);
export const createSmsService = creates('createSmsService', smsServices, '/sms-services/');
export const getSmsService = gets('getSmsService', smsServices, 'serviceId');
export const updateSmsService = changes('updateSmsService', smsServices, 'serviceId');

export const listChatAppServices = lists('listChatAppServices', chatAppServices);
export const createChatAppService = creates('createChatAppService', chatAppServices, '/chatapp-services/');
export const getChatAppService = gets('getChatAppService', chatAppServices, 'chatAppServiceId');
export const updateChatAppService = changes('updateChatAppService', chatAppServices, 'chatAppServiceId');

export const listChatAppSenders = lists('listChatAppSenders', chatAppSenders);
export const createChatAppSender = creates('createChatAppSender', chatAppSenders, '/chatapp-senders/');
export const getChatAppSender = gets('getChatAppSender', chatAppSenders, 'chatAppSenderId');
export const updateChatAppSender = changes('updateChatAppSender', chatAppSenders, 'chatAppSenderId');

export const listCampaigns = lists('listCampaigns', campaigns);
export const createCampaign = creates('createCampaign', campaigns, '/campaigns/');
export const getCampaign = gets('getCampaign', campaigns, 'campaignId');
export const updateCampaign = changes('updateCampaign', campaigns, 'campaignId');

export const listQuietHours = lists('listQuietHours', quietHours);
export const createQuietHours = creates('createQuietHours', quietHours, '/quiet-hours/');
export const getQuietHours = gets('getQuietHours', quietHours, 'country');
export const updateQuietHours = changes('updateQuietHours', quietHours, 'country');

export const listSenderRules = lists('listSenderRules', senderRules);
export const createSenderRules = creates('createSenderRules', senderRules, '/sender-rules/');
export const getSenderRules = gets('getSenderRules', senderRules, 'country');
export const updateSenderRules = changes('updateSenderRules', senderRules, 'country');
