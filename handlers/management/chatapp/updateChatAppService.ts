/** Changes a chat-app service. */
import { changeChatAppService as change } from '../../../src/manage/messaging/chatapp-services.ts';
import { etagOf, type ManagementHandler, wire } from '../operation.ts';

export const updateChatAppService: ManagementHandler<'updateChatAppService'> = async (
  { path, body, version, reply },
  management,
) => {
  const changed = await change(management, path.chatAppServiceId, body, version);
  return reply(200, wire(changed), etagOf(changed));
};
