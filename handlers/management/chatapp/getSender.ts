/** Gets a chat-app sender. */
import { getSender as get } from '../../../src/manage/messaging/senders.ts';
import { etagOf, type ManagementHandler, wire } from '../operation.ts';

export const getSender: ManagementHandler<'getSender'> = async ({ path, reply }, management) => {
  const found = await get(management, path.senderId);
  return reply(200, wire(found), etagOf(found));
};
