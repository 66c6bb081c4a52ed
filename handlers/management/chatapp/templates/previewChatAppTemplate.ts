/** Previews a chat-app template: the message as its recipient would see it, and what it costs. */
import { previewChatAppTemplate as preview } from '../../../../src/manage/messaging/chatapp-previews.ts';
import type { ManagementHandler } from '../../operation.ts';

export const previewChatAppTemplate: ManagementHandler<'previewChatAppTemplate'> = async (
  { path, body, reply },
  management,
) => {
  return reply(200, await preview(management, path.chatAppTemplateId, body.params));
};
