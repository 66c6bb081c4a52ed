/** The command of a mobile-data request, the same for both modes. */
import type { Caller } from '../../access/client.ts';
import type { IdempotencyKey, ReceiptRequest, Schedule } from '../../model/plan.ts';
import type { Audience } from '../phone/route.ts';

/** A bundle, with the text of the SMS that follows its delivery. */
export interface Bundle {
  denomination: string;
  message: string | undefined;
}

export interface DisburseData extends Audience<Bundle> {
  caller: Caller;
  campaignId: string;
  /** What the messages are sent through; undefined: the campaign's own service. */
  smsServiceId: string | undefined;
  receiptRequest: ReceiptRequest | undefined;
  /** Absent: it is sent at once. */
  schedule?: Schedule | undefined;
  idempotency: IdempotencyKey | undefined;
  /** The id that the request gets if it is accepted; undefined: a new one. */
  requestId?: string | undefined;
  /** The trace of its call; undefined: it has none. */
  trace?: string | undefined;
}
