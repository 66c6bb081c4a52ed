/** A message as clients read it: its state, and how it got there. */
import { isAddress } from '../../model/address.ts';
import type { Product } from '../../model/plan.ts';
import { holdsFor, type ProductName, products } from '../../model/products.ts';
import type { MessageState } from '../../model/states.ts';
import type { ReceiptState } from '../../receipts/log-repository.ts';
import { messageIdOf } from './message-id.ts';

export interface TimelineEntry {
  event:
    | 'Accepted'
    | 'Scheduled'
    | 'Released'
    | 'Cancelled'
    | 'Submitted'
    | 'Reported'
    | 'Refunded'
    | 'ReceiptPosted'
    | 'ReceiptExhausted';
  at: string;
  state?: MessageState;
  reason?: string;
  reasonCode?: string;
  /** The webhook-id. */
  receiptId?: string;
}

export interface Message {
  messageId: string;
  requestId: string;
  position: number;
  product: ProductName;
  /** Absent once it is no longer stored. */
  phone?: string;
  channel?: string;
  phoneNumberId?: string;
  /** The id of its SMS in reserve. */
  fallbackId?: string;
  /** The id of the chat-app message that it is in reserve for. */
  fallbackOf?: string;
  denomination?: string;
  state: MessageState;
  reason?: string;
  reasonCode?: string;
  units: number;
  refunded: boolean;
  parts?: number;
  correlator?: string;
  acceptedAt: string;
  scheduledFor?: string;
  timeline: TimelineEntry[];
}

/** A message with its request and receipts, as it is stored. */
export interface StoredMessage {
  id: string;
  requestId: string;
  teamId: string;
  clientId: string;
  /** Its place in the request, from 0. */
  position: number;
  product: Product;
  phone: string;
  channel: string;
  content: string;
  state: MessageState;
  reason: string | null;
  reasonCode: string | null;
  units: number;
  segments: number | null;
  correlator: string | null;
  /** Its request has SMS in reserve. */
  hasFallback: boolean;
  acceptedAt: Date;
  sendAt: Date | null;
  releasedAt: Date | null;
  submittedAt: Date | null;
  reachedAt: Date | null;
  /** When it reached those before. */
  passedStates: Partial<Record<MessageState, string>> | null;
  finalAt: Date | null;
  refundedAt: Date | null;
  receipts: StoredReceipt[] | null;
  /** The connector that has it, or may have it. */
  connector: string | null;
  /** Those that did not take it. */
  hops: StoredHop[] | null;
  /** What its last report says besides; for operators. */
  details: Readonly<Record<string, string>> | null;
}

/** Without a reason once the number is erased. */
export interface StoredHop {
  at: string;
  connector: string;
  refused: boolean;
  reason?: string;
  reasonCode?: string;
}

/** The end of a receipt. */
interface StoredReceipt {
  id: string;
  state: ReceiptState;
  updatedAt: string;
}

/** SQL: a `StoredMessage` of a row that has the columns of a message and of its request. */
export const messageColumns = (row: string) => `
  ${row}.id, request_id as "requestId", team_id as "teamId", client_id as "clientId", position, product, phone, channel,
  case when ${holdsFor('contentErased', 'product')} then '' else content end as content, ${row}.state, reason, reason_code as "reasonCode", units, segments, correlator,
  ${row}.fallback is not null as "hasFallback",
  accepted_at as "acceptedAt", ${row}.send_at as "sendAt", released_at as "releasedAt", submitted_at as "submittedAt",
  connector, hops, details, reached_at as "reachedAt", passed_states as "passedStates", final_at as "finalAt",
  (select created_at from ledger_entries where message_id = ${row}.id and reason = 'Refund') as "refundedAt",
  (select json_agg(json_build_object('id', receipts.id, 'state', receipts.state, 'updatedAt', receipts.updated_at)
     order by receipts.sequence)
   from receipts where receipts.message_id = ${row}.id) as receipts`;

/** Total over the products: where the message goes, in the words of its product. */
const placeOf: {
  [P in Product]: (
    stored: StoredMessage,
  ) => Pick<Message, 'channel' | 'phoneNumberId' | 'denomination' | 'fallbackId' | 'fallbackOf'>;
} = {
  sms: (stored) => ({
    channel: stored.channel,
    ...(stored.hasFallback ? { fallbackOf: messageIdOf({ ...stored, product: 'chatapp' }) } : {}),
  }),
  data: ({ channel, content }) => ({ channel, denomination: content }),
  chatapp: (stored) => ({
    phoneNumberId: stored.channel,
    ...(stored.hasFallback ? { fallbackId: messageIdOf({ ...stored, product: 'sms' }) } : {}),
  }),
};

/** Texts are left out: clients have them, and a stolen token for reading must not give one-time codes away. */
export function messageOf(stored: StoredMessage): Message {
  const { requestId, position, product, phone, state, units, segments, correlator, acceptedAt, sendAt } =
    stored;
  return {
    messageId: messageIdOf(stored),
    requestId,
    position,
    product: products[product].name,
    // A number that is no longer stored is a hash, which is not shown.
    ...(isAddress(phone) ? { phone } : {}),
    ...placeOf[product](stored),
    state,
    ...reasonsOf(stored),
    units,
    refunded: stored.refundedAt !== null,
    ...(segments === null ? {} : { parts: segments }),
    ...(correlator === null ? {} : { correlator }),
    acceptedAt: acceptedAt.toISOString(),
    ...(sendAt === null ? {} : { scheduledFor: sendAt.toISOString() }),
    timeline: timelineOf(stored),
  };
}

function timelineOf(stored: StoredMessage): TimelineEntry[] {
  const { acceptedAt, releasedAt, submittedAt, reachedAt, refundedAt, finalAt, state } = stored;
  const at = (event: TimelineEntry['event'], instant: Date | null): TimelineEntry[] =>
    instant === null ? [] : [{ event, at: instant.toISOString() }];
  // While it is on its way, nobody knows whether the network accepts it.
  const ours = [
    ...at('Accepted', acceptedAt),
    ...at('Scheduled', stored.sendAt === null ? null : acceptedAt),
    ...at('Released', releasedAt),
    ...at('Submitted', state === 'Sending' ? null : submittedAt),
  ];
  const theirs = [
    ...Object.entries(stored.passedStates ?? {}).map(([passed, instant]) =>
      reported(passed, new Date(instant)),
    ),
    ...(reachedAt === null || state === 'Cancelled'
      ? []
      : [{ ...reported(state, reachedAt), ...reasonsOf(stored) }]),
    ...at('Cancelled', state === 'Cancelled' ? finalAt : null).map((one) => ({
      ...one,
      ...reasonsOf(stored),
    })),
    ...at('Refunded', refundedAt),
    ...(stored.receipts ?? []).flatMap(endOf),
  ];
  // Networks report in whole seconds, which may begin before the submission.
  return [...ours, ...theirs.sort((one, other) => one.at.localeCompare(other.at))];
}

const reported = (state: string, at: Date): TimelineEntry => ({
  event: 'Reported',
  at: at.toISOString(),
  state: state as MessageState,
});

const eventOfEnd = {
  Waiting: undefined,
  Delivered: 'ReceiptPosted',
  Exhausted: 'ReceiptExhausted',
} as const satisfies Record<StoredReceipt['state'], TimelineEntry['event'] | undefined>;

function endOf({ id, state, updatedAt }: StoredReceipt): TimelineEntry[] {
  const event = eventOfEnd[state];
  return event === undefined ? [] : [{ event, at: new Date(updatedAt).toISOString(), receiptId: id }];
}

function reasonsOf({ reason, reasonCode }: StoredMessage): Pick<Message, 'reason' | 'reasonCode'> {
  return {
    ...(reason === null ? {} : { reason }),
    ...(reasonCode === null ? {} : { reasonCode }),
  };
}
