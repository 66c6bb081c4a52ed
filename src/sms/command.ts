/** What a client asks of the SMS service, whichever of the four modes it used. */
import type { Caller } from '../clients/client.ts';
import type { IdempotencyKey, ReceiptRequest } from '../intake/plan.ts';
import type { TemplateParameter } from '../templates/template.ts';

/** The text of a message: as it stands, or the parameters of the command's template. */
export type SmsContent = { text: string } | { params: readonly TemplateParameter[] };

export interface SmsRecipient {
  /** As the client wrote it. */
  phone: string;
  content: SmsContent;
}

export interface SendSms {
  caller: Caller;
  serviceId: string;
  templateId: string | undefined;
  /**
   * each: every recipient is a message of its own. many: all share the first one's content, and a number that
   * comes twice is one recipient.
   */
  audience: 'each' | 'many';
  /** At least one. */
  recipients: readonly SmsRecipient[];
  receiptRequest: ReceiptRequest | undefined;
  idempotency: IdempotencyKey | undefined;
}
