/** Changes a managed sender. */
import { changeManagedSender as change } from '../../../src/manage/messaging/managed-senders.ts';
import { etagOf, type ManagementHandler, wire } from '../operation.ts';

export const updateManagedSender: ManagementHandler<'updateManagedSender'> = async (
  { path, body, version, reply },
  management,
) => {
  const changed = await change(management, path.managedSenderKey, body, version);
  return reply(200, wire(changed), etagOf(changed));
};
