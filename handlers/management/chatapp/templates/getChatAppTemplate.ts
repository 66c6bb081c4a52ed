/** Gets a chat-app template. */
import { getChatAppTemplate as get } from '../../../../src/manage/messaging/chatapp-templates.ts';
import { etagOf, type ManagementHandler, wire } from '../../operation.ts';
import { written } from './components.ts';

export const getChatAppTemplate: ManagementHandler<'getChatAppTemplate'> = async (
  { path, reply },
  management,
) => {
  const found = await get(management, path.chatAppTemplateId);
  return reply(200, wire(written(found)), etagOf(found));
};
