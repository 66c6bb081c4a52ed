/** Lists managed senders. */
import { listManagedSenders as list } from '../../../src/manage/messaging/managed-senders.ts';
import { type ManagementHandler, type Part, pageOf } from '../operation.ts';

export const listManagedSenders: ManagementHandler<'listManagedSenders'> = async (
  { query, reply },
  management,
) => {
  const read = (part: Part) => list(management, part);
  return reply(200, await pageOf('listManagedSenders', query, management, read, ({ key }) => key));
};
