/** Gets a managed sender. */
import { getManagedSender as get } from '../../../src/manage/messaging/managed-senders.ts';
import { etagOf, type ManagementHandler, wire } from '../operation.ts';

export const getManagedSender: ManagementHandler<'getManagedSender'> = async (
  { path, reply },
  management,
) => {
  const found = await get(management, path.managedSenderKey);
  return reply(200, wire(found), etagOf(found));
};
