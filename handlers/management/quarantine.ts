/** Quarantined items. */
import * as quarantine from '../../src/manage/operation/quarantine.ts';
import { type ManagementHandler, type Part, pageOf, wire } from './operation.ts';

/** Lists quarantined items, oldest first. */
export const listQuarantinedItems: ManagementHandler<'listQuarantinedItems'> = async (
  { query, reply },
  management,
) => {
  const read = (part: Part) => quarantine.listQuarantine(management, part);
  return reply(200, await pageOf('listQuarantinedItems', query, management, read, ({ id }) => id));
};

/** Has a worker retry a quarantined item. */
export const retryQuarantinedItem: ManagementHandler<'retryQuarantinedItem'> = async (
  { path, reply },
  management,
) => {
  const [item] = await quarantine.retryQuarantined(management, path.itemId);
  if (item === undefined) throw new Error(`quarantined item ${path.itemId} was retried, but not returned`);
  return reply(200, wire(item));
};
