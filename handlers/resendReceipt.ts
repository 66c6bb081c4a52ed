/** Has a receipt of the caller's team posted again. */
import type { Handler } from '../src/http/contract/operation.ts';
import type { Resend } from '../src/reading/receipt.ts';

export function resendReceipt(resend: Resend): Handler<'resendReceipt'> {
  return async ({ caller, path, reply }) => reply(200, await resend(caller.teamId, path.receiptId));
}
