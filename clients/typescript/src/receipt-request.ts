/** The part that all sends share: where receipts go. */

/** Where receipts are posted, and your own identifier that each repeats. Set both or neither. */
export type ReceiptTarget =
  | { correlator: string; callbackUrl: string }
  | { correlator?: undefined; callbackUrl?: undefined };

/** For SMS, each of the two can stand alone. */
export interface OptionalReceiptTarget {
  correlator?: string | undefined;
  callbackUrl?: string | undefined;
}

/** The `receiptRequest` of a body, if there is one. */
export function receiptRequestOf<Target extends OptionalReceiptTarget>({ correlator, callbackUrl }: Target) {
  if (correlator === undefined && callbackUrl === undefined) return {};
  return {
    receiptRequest: {
      ...(correlator === undefined ? {} : { correlator }),
      ...(callbackUrl === undefined ? {} : { callbackUrl }),
    } as Target extends ReceiptTarget ? { correlator: string; callbackUrl: string } : object,
  };
}

/** One recipient or several. */
export type To = string | readonly string[];

export function listOf(to: To): string[] {
  return typeof to === 'string' ? [to] : [...to];
}
