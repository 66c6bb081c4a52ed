/** A message of a phone on its way into the database. */
import type { PhoneContent, PhoneMessage, PhonePart } from '../connectors/contract/phone-message.ts';
import type { Product } from '../model/plan.ts';
import type { PhoneParser } from '../products/phone/parse.ts';
import type { StoredInbound } from './published.ts';

/** The products that people reply to. */
export type InboundProduct = Exclude<Product, 'data'>;

/** The connector that a message came through. */
export interface Via {
  connector: string;
  product: InboundProduct;
}

/** A message from a phone number. */
export interface Arrived extends Via, Pick<PhoneMessage, 'to' | 'toId' | 'repeatedWithinSeconds'> {
  /** Of the message, once it is whole. */
  id: string;
  /** E.164. */
  phone: string;
  /** Hashed: the same when the network sends it again. */
  identity: string;
  body: { content: PhoneContent } | { part: PhonePart };
}

export type ArrivedPart = Arrived & { body: { part: PhonePart } };

export const isPart = (message: Arrived): message is ArrivedPart => 'part' in message.body;

/** A whole message, or all that came of one. */
export interface Whole extends Omit<Arrived, 'body' | 'identity' | 'repeatedWithinSeconds'> {
  content: PhoneContent;
  missingParts: number;
  repeat: { identity: string; withinSeconds: number | null };
}

/** The service that it was sent to. */
export interface Addressee {
  teamId: string;
  serviceId: string;
  /** What it was sent to, as it is configured: the sender of the service, or what people see instead. */
  sender: string;
  /** The number that a chat-app message was sent to, as its network knows it; null of an SMS. */
  channel: string | null;
  /** Where its messages are posted, and whose secrets sign them. */
  callbackUrl: string | null;
  clientId: string | null;
  /** The request whose message it replies to. */
  requestId: string | null;
  correlator: string | null;
}

/** A message that was stored, with what follows from it. */
export type Received = StoredInbound & Addressee & { text: string };

/** A message as it was heard; `repeated`: it is taken for a repetition of the one before it, and not stored. */
export type Heard = Omit<Received, 'receivedAt'> & { repeated: boolean };

/** Networks write numbers with their country, with a plus, with two zeros or without; some as in their own country. */
export function phoneOf(from: string, parsePhone: PhoneParser): string | undefined {
  return parsePhone(`+${from.replace(/^(\+|00)/, '')}`) ?? parsePhone(from);
}
