/** Gets a chat-app service. */
import { getChatAppService as get } from '../../../src/manage/messaging/chatapp-services.ts';
import { etagOf, type ManagementHandler, wire } from '../operation.ts';

export const getChatAppService: ManagementHandler<'getChatAppService'> = async (
  { path, reply },
  management,
) => {
  const found = await get(management, path.chatAppServiceId);
  return reply(200, wire(found), etagOf(found));
};
