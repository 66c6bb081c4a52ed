/** Changes a chat-app template. */
import { changeChatAppTemplate as change } from '../../../../src/manage/messaging/chatapp-templates.ts';
import { etagOf, type ManagementHandler, wire } from '../../operation.ts';
import { componentsOf, written } from './components.ts';

export const updateChatAppTemplate: ManagementHandler<'updateChatAppTemplate'> = async (
  { path, body, version, reply },
  management,
) => {
  const components = body.components && componentsOf(body.components);
  const changed = await change(management, path.chatAppTemplateId, { ...body, components }, version);
  return reply(200, wire(written(changed)), etagOf(changed));
};
