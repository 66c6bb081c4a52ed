/** What a client asks of a chat-app service, whichever of the two modes it used. */
import type { Caller } from '../clients/client.ts';
import type { IdempotencyKey, ReceiptRequest } from '../intake/plan.ts';
import type { ChatAppParameter } from './parameter.ts';

export interface ChatAppRecipient {
  /** As the client wrote it. */
  phone: string;
  params: readonly ChatAppParameter[];
}

export interface SendChatAppTemplate {
  caller: Caller;
  serviceId: string;
  /** The id of the sender number. */
  phoneNumberId: string;
  templateId: string;
  /** each: every recipient is a message with its own parameters. many: all share the first one's parameters. */
  audience: 'each' | 'many';
  /** At least one. */
  recipients: readonly ChatAppRecipient[];
  receiptRequest: ReceiptRequest | undefined;
  idempotency: IdempotencyKey | undefined;
}
