/** The plan of a request: everything that its acceptance stores, debits and queues. */

/** What a request is about, as accounts and messages name it. */
export type Product = 'sms' | 'data' | 'chatapp';

/** What messages are for: that of their template, of the service of a free-form text, UTILITY for bundles, SERVICE for replies. */
export const categories = ['MARKETING', 'UTILITY', 'AUTHENTICATION', 'SERVICE'] as const;
export type Category = (typeof categories)[number];

/** The order of submission while more messages wait than a connector can take. */
export type Priority = 0 | 1 | 2;

export const priorities = {
  AUTHENTICATION: 0,
  UTILITY: 1,
  SERVICE: 1,
  MARKETING: 2,
} as const satisfies Record<Category, Priority>;

/** One recipient's share of a request. */
export interface PlannedMessage {
  product: Product;
  /** The recipient's place in the request, from 0. An SMS that accompanies a bundle or is in reserve has that of the other message. */
  position: number;
  /** The channel that takes the message; of a chat-app message the number it is sent from. */
  channel: string;
  /** The recipient in E.164 form. */
  phone: string;
  /**
   * The resolved content: the text of an SMS, the denomination of a bundle, the filled template or text of a chat-app
   * message as JSON (chatapp/templates/filled-template.ts).
   */
  content: string;
  /** Instead of the sender of the plan. */
  sender?: string;
  /** Units debited for this message. */
  units: number;
  /** The account its units come from, and are refunded to if it is never submitted; null if nothing is billed. */
  accountId: string | null;
  /** What it may go through, as `wayOf` says; absent: its channel has no routes, or they are asked later. */
  way?: string | undefined;
  /** An SMS that waits until the bundle of its place was delivered. */
  held: boolean;
  /** RFC 3339: when it is queued; absent: at once. */
  sendAt?: string;
  /** An SMS in reserve: `sendAt` comes if its chat-app message is not delivered before, and its validity counts from then. */
  inReserve?: true;
  /** It would expire before its window opens. */
  expiresQuietly?: true;
}

/** When a client wants a request to be sent, RFC 3339 in UTC. */
export interface Schedule {
  sendAt: string;
  /** What is not submitted by then expires; absent: the validity of the service decides. */
  validUntil?: string;
}

/** What regulators want to know of a request's SMS, by name: of its text, and of its sender where the message goes. */
export interface Registrations {
  template: Readonly<Record<string, string>>;
  /** Of them the one of the channel counts, else that of the country, else the one without either. */
  uses: readonly {
    channel?: string;
    country?: string;
    registrations?: Readonly<Record<string, string>>;
  }[];
}

/** What messages of a chat-app request have in common with the SMS in reserve for them. */
export interface Fallback {
  /** A chat-app message that no network takes in so many seconds after its time expires; one that is not delivered is followed by its SMS. */
  after: number;
  /** Which routes go by, whatever people see. */
  sender: string;
}

/** What has become of an SMS in reserve when its chat-app message reaches a state. */
export type FallbackState = 'Waiting' | 'Sent' | 'NotSent';

/** Stands for an account that the team does not have: its balance is 0. */
export const noAccount = '0';

/** Where and how a client gets receipts. */
export interface ReceiptRequest {
  correlator?: string;
  callbackUrl?: string;
}

/** The response to an accepted request; kept for replays of its Idempotency-Key. */
export interface Accepted {
  /** UUID v4. */
  requestId: string;
  /** As the product counts them. */
  units: object;
  /** Messages, as the product counts them. */
  addresses: unknown;
  /** When the first of its messages is sent, if none is sent at once. */
  scheduledFor?: string;
}

/** An Idempotency-Key with what identifies the request it was first used for. */
export interface IdempotencyKey {
  key: string;
  /** `version:digest`. Within a version the same for requests that ask for the same. */
  fingerprint: string;
}

/**
 * Whether a request is the one that a key was first used for. Fingerprints of different versions cannot be
 * compared; they count as the same, because honest repeats across an upgrade are far more likely than a key that is
 * used again for something else.
 */
export function sameRequest(stored: string, repeated: string): boolean {
  const versionOf = (fingerprint: string) => fingerprint.split(':', 1)[0];
  return versionOf(stored) !== versionOf(repeated) || stored === repeated;
}

/** How many units a team or a client may send in a day or a month, of UTC. */
export interface Cap {
  holder: 'team' | 'client';
  id: string;
  period: 'day' | 'month';
  most: number;
}

/** All of one request's effects. Carried out in one transaction, or not at all. */
export interface Plan<A extends Accepted = Accepted> {
  teamId: string;
  clientId: string;
  operation: string;
  /** The service or campaign the request was sent to. */
  resourceId: string;
  /** The template of its texts. */
  templateId?: string | undefined;
  /** The service that sends the SMS that accompany bundles, or are in reserve. */
  smsServiceId?: string | undefined;
  /** Of a chat-app request that has an SMS in reserve for each message. */
  fallback?: Fallback | undefined;
  /** The name or number that SMS and chat-app messages of the request come from. */
  sender: string | null;
  receiptRequest: ReceiptRequest;
  category: Category;
  /** It confirms a word such as STOP, and passes opt-outs. */
  confirmation?: true;
  /** Absent: it is sent at once. */
  schedule?: Schedule | undefined;
  /** Where its recipients are: a name of the IANA database; absent: anywhere in their countries. */
  timeZone?: string | undefined;
  /** Absent: none of its SMS has any. */
  registrations?: Registrations | undefined;
  /** Of an SMS, 0: phones show it at once and do not keep it. */
  messageClass?: 0 | undefined;
  /** How long its messages may wait for their network; null: what the settings say. */
  validitySeconds: number | null;
  /** RFC 3339: what is not submitted by then expires; absent: `validitySeconds` decides. */
  validUntil?: string;
  messages: readonly PlannedMessage[];
  /** What its units count towards; absent: nothing. */
  caps?: readonly Cap[];
  /** The trace of its call; absent: it has none. */
  trace?: string | undefined;
  accepted: A;
  idempotency: IdempotencyKey | undefined;
}
