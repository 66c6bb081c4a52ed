/** Has a receipt posted again, with the same webhook-id. */
import { resendReceipt as resend } from '../../../src/manage/operation/receipts.ts';
import type { ManagementHandler } from '../operation.ts';

export const resendReceipt: ManagementHandler<'resendReceipt'> = async ({ path, reply }, management) =>
  reply(200, await resend(management, path.receiptId));
