/** The commands of chat-app requests: a template to several people, or a reply to one. */
import type { Caller } from '../../access/client.ts';
import type { IdempotencyKey, ReceiptRequest, Schedule } from '../../model/plan.ts';
import type { Audience } from '../phone/route.ts';
import type { TemplateParameter } from '../templates/template.ts';
import type { SessionContent } from './templates/filled-template.ts';
import type { ChatAppParameter } from './templates/parameter.ts';

interface FromNumber {
  caller: Caller;
  serviceId: string;
  /** The id of the sender number. */
  phoneNumberId: string;
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

/** The text of an SMS in reserve, as its client wrote it: as it stands, or the parameters of the fallback's template. */
export interface WrittenSms {
  text?: string | undefined;
  params?: readonly TemplateParameter[] | undefined;
}

/** An SMS to each recipient whose chat-app message is not delivered. */
export interface AskedFallback {
  /** An SMS service. */
  serviceId: string;
  /** Absent: its texts are free-form. */
  templateId?: string | undefined;
  /** Seconds after the time of the chat-app message. */
  after: number;
}

/** What fills the template for a recipient, and the SMS in reserve if the request asks for that. */
export interface TemplateContent {
  params: readonly ChatAppParameter[];
  sms?: WrittenSms | undefined;
}

/** The same for both modes. */
export interface SendChatAppTemplate extends FromNumber, Audience<TemplateContent> {
  templateId: string;
  fallback?: AskedFallback | undefined;
}

/** What a reply says, as its client wrote it: one of both. */
export interface WrittenReply {
  text?: string | undefined;
  media?: Extract<SessionContent, { media: unknown }>['media'] | undefined;
}

/** To one recipient: whoever sent the inbound message, whose id stands for a number. */
export interface ReplyInChatApp extends FromNumber, Audience<WrittenReply> {
  inReplyTo: string;
}

export type SendChatApp = SendChatAppTemplate | ReplyInChatApp;
