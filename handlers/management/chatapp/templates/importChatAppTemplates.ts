/** Imports the chat-app templates of an account at a network. */
import { importChatAppTemplates as importAll } from '../../../../src/manage/messaging/chatapp-import.ts';
import type { ManagementHandler } from '../../operation.ts';

export const importChatAppTemplates: ManagementHandler<'importChatAppTemplates'> = async (
  { path, body, reply },
  management,
) => {
  return reply(200, { items: await importAll(management, { ...body, connector: path.connectorName }) });
};
