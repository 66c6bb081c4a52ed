/** Adds a chat-app template. */
import { createChatAppTemplate as create } from '../../../../src/manage/messaging/chatapp-templates.ts';
import { etagOf, type ManagementHandler, ownerOf, wire } from '../../operation.ts';
import { componentsOf, written } from './components.ts';

export const createChatAppTemplate: ManagementHandler<'createChatAppTemplate'> = async (
  { body, caller, reply },
  management,
) => {
  const { components, ...rest } = body;
  const teamId = ownerOf(body, caller);
  const created = await create(management, { ...rest, ...componentsOf(components), teamId });
  return reply(201, wire(written(created)), etagOf(created));
};
