/** Has a receipt of the caller's team posted again. */
import { resendReceipt as resend } from '../src/read/receipt.ts';
import type { ServiceHandler } from './service.ts';

export const resendReceipt: ServiceHandler<'resendReceipt'> = async ({ caller, path, reply }, service) =>
  reply(200, await resend(service.receipts, caller.teamId, path.receiptId));
