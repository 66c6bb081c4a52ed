/** Lists the receipts of the caller's team. */
import type { Handler } from '../src/http/contract/operation.ts';
import type { ReadPage } from '../src/reading/lists.ts';
import type { Receipt, ReceiptSearch } from '../src/reading/receipt.ts';

export function listReceipts(read: ReadPage<ReceiptSearch, Receipt>): Handler<'listReceipts'> {
  return async ({ caller, query: { limit, cursor, ...search }, reply }) =>
    reply(200, await read(caller.teamId, search, { limit, cursor }));
}
