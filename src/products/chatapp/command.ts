/** The command of a chat-app request, the same for both modes. */
import type { Caller } from '../../access/client.ts';
import type { IdempotencyKey, ReceiptRequest, Schedule } from '../../model/plan.ts';
import type { Audience } from '../phone/route.ts';
import type { ChatAppParameter } from './templates/parameter.ts';

/** A recipient's content is what fills the template. */
export interface SendChatAppTemplate extends Audience<readonly ChatAppParameter[]> {
  caller: Caller;
  serviceId: string;
  /** The id of the sender number. */
  phoneNumberId: string;
  templateId: string;
  receiptRequest: ReceiptRequest | undefined;
  /** Absent: it is sent at once. */
  schedule?: Schedule | undefined;
  /** Where its recipients are, as its client wrote it; absent: anywhere in their countries. */
  timeZone?: string | undefined;
  idempotency: IdempotencyKey | undefined;
  /** The id that the request gets if it is accepted; undefined: a new one. */
  requestId?: string | undefined;
  /** The trace of its call; undefined: it has none. */
  trace?: string | undefined;
}
