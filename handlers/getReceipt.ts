/** Shows one receipt of the caller's team. */
import { getReceipt as get } from '../src/read/receipt.ts';
import type { ServiceHandler } from './service.ts';

export const getReceipt: ServiceHandler<'getReceipt'> = async ({ caller, path, reply }, service) =>
  reply(200, await get(service.receipts, caller.teamId, path.receiptId));
