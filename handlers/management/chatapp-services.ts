/** Chat-app services. */
import { chatAppServices } from '../../src/manage/messaging/chatapp-services.ts';
import { changes, creates, gets, lists } from './resource.ts';

export const listChatAppServices = lists('listChatAppServices', chatAppServices);
export const createChatAppService = creates('createChatAppService', chatAppServices, '/chatapp-services/');
export const getChatAppService = gets('getChatAppService', chatAppServices, 'chatAppServiceId');
export const updateChatAppService = changes('updateChatAppService', chatAppServices, 'chatAppServiceId');
