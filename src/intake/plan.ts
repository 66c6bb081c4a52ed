/** What a product's rules hand to intake: everything one accepted request will store, debit and queue. */

/** One recipient's share of a request. */
export interface PlannedMessage {
  /** Name of the channel that takes the message. */
  channel: string;
  /** The recipient in E.164 form. */
  phone: string;
  /** The text as it will be sent, resolved. */
  text: string;
  /** Units debited for this message. */
  units: number;
  /** The account its units come from, and go back to if it never leaves us. */
  accountId: string;
}

/** Where and how a client hears of its messages. */
export interface ReceiptRequest {
  correlator?: string;
  callbackUrl?: string;
}

/** What the client is told about an accepted request; kept for replays of its Idempotency-Key. */
export interface Accepted {
  /** UUID v4. */
  requestId: string;
  /** Units by channel; every active channel is listed. */
  units: Record<string, number>;
  /** Messages by channel; every active channel is listed. */
  addresses: Record<string, number>;
}

/** An Idempotency-Key with what identifies the request it was first used for. */
export interface IdempotencyKey {
  key: string;
  /** SHA-256 over path and body, in hex. */
  fingerprint: string;
}

/** All of one request's effects. Carried out in one transaction, or not at all. */
export interface Plan {
  teamId: string;
  clientId: string;
  operation: string;
  /** The service or campaign the request was sent to. */
  resourceId: string;
  /** The name or number the messages come from. */
  sender: string;
  receiptRequest: ReceiptRequest;
  messages: readonly PlannedMessage[];
  accepted: Accepted;
  idempotency: IdempotencyKey | undefined;
}
