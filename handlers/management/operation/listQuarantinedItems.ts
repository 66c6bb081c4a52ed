/** Lists quarantined items, oldest first. */
import { listQuarantine as list } from '../../../src/manage/operation/quarantine.ts';
import { type ManagementHandler, type Part, pageOf } from '../operation.ts';

export const listQuarantinedItems: ManagementHandler<'listQuarantinedItems'> = async (
  { query, reply },
  management,
) => {
  const read = (part: Part) => list(management, part);
  return reply(200, await pageOf('listQuarantinedItems', query, management, read, ({ id }) => id));
};
