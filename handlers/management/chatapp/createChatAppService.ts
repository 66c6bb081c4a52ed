/** Adds a chat-app service. */
import { createChatAppService as create } from '../../../src/manage/messaging/chatapp-services.ts';
import { etagOf, type ManagementHandler, ownerOf, wire } from '../operation.ts';

export const createChatAppService: ManagementHandler<'createChatAppService'> = async (
  { body, caller, reply },
  management,
) => {
  const created = await create(management, { ...body, teamId: ownerOf(body, caller) });
  return reply(201, wire(created), etagOf(created));
};
