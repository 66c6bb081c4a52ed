/** Lists the receipts of the caller's team. */
import { createList } from '../src/read/lists.ts';
import { readReceipts } from '../src/read/receipt.ts';
import type { ServiceHandler } from './service.ts';

export const listReceipts: ServiceHandler<'listReceipts'> = async (
  { caller, query: { limit, cursor, ...search }, reply },
  service,
) => {
  const read = createList(service.secrets, 'receipts', readReceipts(service.receipts, service.clock));
  return reply(200, await read(caller.teamId, search, { limit, cursor }));
};
