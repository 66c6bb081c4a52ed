/** Sets the approval status of a chat-app template. */
import { reviewChatAppTemplate as review } from '../../../../src/manage/messaging/chatapp-templates.ts';
import { etagOf, type ManagementHandler, wire } from '../../operation.ts';
import { written } from './components.ts';

export const reviewChatAppTemplate: ManagementHandler<'reviewChatAppTemplate'> = async (
  { path, body, version, reply },
  management,
) => {
  const changed = await review(management, path.chatAppTemplateId, body, version);
  return reply(200, wire(written(changed)), etagOf(changed));
};
