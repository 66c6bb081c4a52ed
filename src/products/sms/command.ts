/** The command of an SMS request, the same for all four modes. */
import type { Caller } from '../../access/client.ts';
import type { IdempotencyKey, ReceiptRequest, Schedule } from '../../model/plan.ts';
import type { Audience } from '../phone/route.ts';
import type { TemplateParameter } from '../templates/template.ts';

/** The text of a message: as it stands, or the parameters of the command's template. */
export type SmsContent = { text: string } | { params: readonly TemplateParameter[] };

export interface SendSms extends Audience<SmsContent> {
  caller: Caller;
  serviceId: string;
  templateId: string | undefined;
  receiptRequest: ReceiptRequest | undefined;
  /** Absent: it is sent at once. */
  schedule?: Schedule | undefined;
  /** Where its recipients are, as its client wrote it; absent: anywhere in their countries. */
  timeZone?: string | undefined;
  /** 0: phones show it at once and do not keep it. */
  messageClass?: 0 | undefined;
  idempotency: IdempotencyKey | undefined;
  /** The id that the request gets if it is accepted; undefined: a new one. */
  requestId?: string | undefined;
  /** The trace of its call; undefined: it has none. */
  trace?: string | undefined;
}
