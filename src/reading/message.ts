/** A message as clients read it: its state, and how it got there. */
import type { Product } from '../intake/plan.ts';
import { holdsFor } from '../products.ts';
import type { ReceiptState } from '../receipts/log-repository.ts';
import type { MessageState } from '../receipts/states.ts';
import { nameOfProduct, type ProductName } from './product.ts';

export interface TimelineEntry {
  event: 'Accepted' | 'Released' | 'Submitted' | 'Reported' | 'ReceiptPosted' | 'ReceiptExhausted';
  at: string;
  state?: MessageState;
  reason?: string;
  reasonCode?: string;
  /** The webhook-id. */
  receiptId?: string;
}

export interface Message {
  requestId: string;
  product: ProductName;
  phone: string;
  channel?: string;
  phoneNumberId?: string;
  denomination?: string;
  state: MessageState;
  reason?: string;
  reasonCode?: string;
  units: number;
  segments?: number;
  correlator?: string;
  acceptedAt: string;
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
  acceptedAt: Date;
  releasedAt: Date | null;
  submittedAt: Date | null;
  reachedAt: Date | null;
  receipts: StoredReceipt[] | null;
}

/** The end of a receipt, and what it announced. */
interface StoredReceipt {
  id: string;
  /** Its body; null once that was erased. */
  announced: { timestamp: string; deliveryStatus: MessageState; reason?: string; reasonCode?: string } | null;
  state: ReceiptState;
  updatedAt: string;
}

/** SQL: a `StoredMessage` of a row that has the columns of a message and of its request. */
export const messageColumns = (row: string) => `
  ${row}.id, request_id as "requestId", team_id as "teamId", client_id as "clientId", position, product, phone, channel,
  case when ${holdsFor('contentErased', 'product')} then '' else content end as content, ${row}.state, reason, reason_code as "reasonCode", units, segments, correlator,
  accepted_at as "acceptedAt", released_at as "releasedAt", submitted_at as "submittedAt",
  reached_at as "reachedAt",
  (select json_agg(json_build_object('id', receipts.id, 'announced', nullif(body, '')::json, 'state', receipts.state,
     'updatedAt', receipts.updated_at) order by receipts.sequence)
   from receipts where receipts.message_id = ${row}.id) as receipts`;

/** Total over the products: where the message goes, in the words of its product. */
const placeOf: {
  [P in Product]: (stored: StoredMessage) => Pick<Message, 'channel' | 'phoneNumberId' | 'denomination'>;
} = {
  sms: ({ channel }) => ({ channel }),
  data: ({ channel, content }) => ({ channel, denomination: content }),
  chatapp: ({ channel }) => ({ phoneNumberId: channel }),
};

/** Texts are left out: clients have them, and a stolen token for reading must not give one-time codes away. */
export function messageOf(stored: StoredMessage): Message {
  const { requestId, product, phone, state, units, segments, correlator, acceptedAt } = stored;
  return {
    requestId,
    product: nameOfProduct[product],
    // A number that is no longer stored is a hash, which is not shown.
    phone: phone.startsWith('+') ? phone : '',
    ...placeOf[product](stored),
    state,
    ...reasonsOf(stored),
    units,
    ...(segments === null ? {} : { segments }),
    ...(correlator === null ? {} : { correlator }),
    acceptedAt: acceptedAt.toISOString(),
    timeline: timelineOf(stored),
  };
}

function timelineOf(stored: StoredMessage): TimelineEntry[] {
  const { acceptedAt, releasedAt, submittedAt, reachedAt, state } = stored;
  const receipts = stored.receipts ?? [];
  const ours: TimelineEntry[] = [{ event: 'Accepted', at: acceptedAt.toISOString() }];
  if (releasedAt !== null) ours.push({ event: 'Released', at: releasedAt.toISOString() });
  if (submittedAt !== null) ours.push({ event: 'Submitted', at: submittedAt.toISOString() });
  // States before the last one are known from their receipts only.
  const theirs: TimelineEntry[] = receipts.flatMap(({ announced }) =>
    announced === null || announced.deliveryStatus === state ? [] : [reportOf(announced)],
  );
  if (reachedAt !== null)
    theirs.push({ event: 'Reported', at: reachedAt.toISOString(), state, ...reasonsOf(stored) });
  theirs.push(...receipts.flatMap(endOf));
  // Networks report in whole seconds, which may begin before the submission.
  return [...ours, ...theirs.sort((one, other) => one.at.localeCompare(other.at))];
}

function reportOf({
  timestamp,
  deliveryStatus,
  reason,
  reasonCode,
}: NonNullable<StoredReceipt['announced']>) {
  return {
    event: 'Reported',
    at: timestamp,
    state: deliveryStatus,
    ...(reason === undefined ? {} : { reason }),
    ...(reasonCode === undefined ? {} : { reasonCode }),
  } as const;
}

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
