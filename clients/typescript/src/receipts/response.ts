/** What a receipt handler responds, whatever server it runs in. */
import { TarishiReceiptError } from '../errors.ts';
import { headerOf, type Posted, type ReceiptHeaders, verifyReceipt } from './verify.ts';

export interface ReceiptHandlerOptions {
  /** `whsec_…`; two while one replaces the other. */
  signingSecret: string | readonly string[];
  /**
   * Called with each verified receipt; the response is 204 when it is done. If it throws, the receipt is posted again
   * later. A receipt can arrive more than once, always with the same `webhookId`: store the ids that you have processed.
   */
  onReceipt: (receipt: Posted, webhookId: string) => void | Promise<void>;
  /** How far the timestamp of a receipt may be from the present; 300 by default. */
  toleranceSeconds?: number | undefined;
}

export interface ReceiptResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** A receipt is far smaller. */
export const longestBody = 1_048_576;

/** 204 for a receipt, 400 for anything else. Rejects with what `onReceipt` throws. */
export async function respondTo(
  body: string | Uint8Array,
  headers: ReceiptHeaders,
  { signingSecret, onReceipt, toleranceSeconds }: ReceiptHandlerOptions,
): Promise<ReceiptResponse> {
  let receipt: Posted;
  try {
    receipt = await verifyReceipt(body, headers, signingSecret, { toleranceSeconds });
  } catch (error) {
    if (error instanceof TarishiReceiptError) return plain(400, error.desc);
    throw error;
  }
  await onReceipt(receipt, headerOf(headers, 'webhook-id') ?? '');
  return { status: 204, headers: {}, text: '' };
}

export const wrongMethod: ReceiptResponse = {
  status: 405,
  headers: { Allow: 'POST' },
  text: 'Receipts are posted',
};
export const tooLarge = plain(413, 'The body is larger than any receipt');
export const failed = plain(500, 'The receipt could not be processed');

function plain(status: number, text: string): ReceiptResponse {
  return { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, text };
}
