/** Has a worker retry a quarantined item. */
import { retryQuarantined as retry } from '../../../src/manage/operation/quarantine.ts';
import { type ManagementHandler, wire } from '../operation.ts';

export const retryQuarantinedItem: ManagementHandler<'retryQuarantinedItem'> = async (
  { path, reply },
  management,
) => {
  const [item] = await retry(management, path.itemId);
  if (item === undefined) throw new Error(`quarantined item ${path.itemId} was retried, but not returned`);
  return reply(200, wire(item));
};
