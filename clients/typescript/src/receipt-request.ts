/** The parts that all sends share: where receipts go, and when it is sent. */

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

/** When it is sent; at once by default. Text is RFC 3339, such as `2026-11-22T06:00:00Z`. */
export type SendTime =
  | {
      /** From one minute to 30 days from now. */
      sendAt: string | Date;
      /** What no network has accepted by then expires and is refunded. */
      validUntil?: string | Date | undefined;
    }
  | { sendAt?: undefined; validUntil?: undefined };

/** The `schedule` of a body, if there is one. */
export function scheduleOf({ sendAt, validUntil }: SendTime) {
  if (sendAt === undefined) return {};
  return {
    schedule: {
      sendAt: instantOf(sendAt),
      ...(validUntil === undefined ? {} : { validUntil: instantOf(validUntil) }),
    },
  };
}

/** Where the recipients are. */
export interface Place {
  /** Such as `America/New_York`: quiet hours of countries with several time zones count in this one. */
  timeZone?: string | undefined;
}

/** The `timeZone` of a body, if there is one. */
export function placeOf({ timeZone }: Place) {
  return timeZone === undefined ? {} : { timeZone };
}

/** The RFC 3339 form of a time. Text stays as it is. */
export const instantOf = (instant: string | Date) =>
  instant instanceof Date ? instant.toISOString() : instant;

/** One recipient or several. */
export type To = string | readonly string[];

export function listOf(to: To): string[] {
  return typeof to === 'string' ? [to] : [...to];
}
