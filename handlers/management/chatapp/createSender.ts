/** Adds a chat-app sender. */
import { createSender as create } from '../../../src/manage/messaging/senders.ts';
import { etagOf, type ManagementHandler, wire } from '../operation.ts';

export const createSender: ManagementHandler<'createSender'> = async ({ body, reply }, management) => {
  const created = await create(management, body);
  return reply(201, wire(created), etagOf(created));
};
