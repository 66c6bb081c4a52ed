/** What tests know of verify-receipt.js. */

export type Headers = Readonly<Record<string, string>>;

export interface Verdict {
  problems: string[];
  notes: string[];
}

export function readHeaders(text: string): Headers;
export function verifyReceipt(receipt: {
  headers: Headers;
  body: string;
  secret: string;
  nowSeconds: number;
}): Promise<Verdict>;
