/** Changes a chat-app sender. */
import { changeSender as change } from '../../../src/manage/messaging/senders.ts';
import { etagOf, type ManagementHandler, wire } from '../operation.ts';

export const updateSender: ManagementHandler<'updateSender'> = async (
  { path, body, version, reply },
  management,
) => {
  const changed = await change(management, path.senderId, body, version);
  return reply(200, wire(changed), etagOf(changed));
};
