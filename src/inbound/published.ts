/** A message of a phone as the contract publishes it: in lists, and posted to the service's callback URL. */
import type { components } from '../../generated/openapi.d.ts';
import type { ContentKind, PhoneContent } from '../connectors/contract/phone-message.ts';
import { isAddress } from '../model/address.ts';
import type { Product } from '../model/plan.ts';
import { products } from '../model/products.ts';
import { replyableUntil } from '../products/chatapp/session.ts';

export type InboundMessage = components['schemas']['InboundMessage'];

/** As it is stored. */
export interface StoredInbound {
  id: string;
  product: Product;
  serviceId: string;
  /** E.164 or a user id; of old messages a hash, and empty once it was erased. */
  phone: string;
  /** What it was sent to. */
  recipient: string;
  kind: ContentKind;
  /** Null once it was erased. */
  text: string | null;
  media: PhoneContent['media'] | null;
  /** How many parts of its text never came. */
  missingParts: number;
  /** The word that was acted upon. */
  keyword: string | null;
  /** The request whose message it replies to. */
  requestId: string | null;
  correlator: string | null;
  receivedAt: Date;
}

const kinds = {
  text: 'Text',
  button: 'Button',
  media: 'Media',
  other: 'Other',
} as const satisfies Record<ContentKind, InboundMessage['kind']>;

export function inboundMessage(stored: StoredInbound): InboundMessage {
  const { id, product, serviceId, phone, recipient, kind, text, media, missingParts } = stored;
  const { keyword, requestId, correlator, receivedAt } = stored;
  return {
    type: 'InboundMessage',
    messageId: id,
    product: products[product].name,
    serviceId,
    // A number that is no longer stored is a hash, which is not shown.
    ...(isAddress(phone) ? { from: phone } : {}),
    to: recipient,
    kind: kinds[kind],
    ...(text === null ? {} : { text }),
    ...(media === null || media === undefined ? {} : { media }),
    ...(missingParts === 0 ? {} : { missingParts }),
    receivedAt: receivedAt.toISOString(),
    ...(product === 'chatapp' && isAddress(phone)
      ? { replyableUntil: replyableUntil(receivedAt).toISOString() }
      : {}),
    ...(keyword === null ? {} : { keyword }),
    ...(requestId === null
      ? {}
      : { inReplyTo: { requestId, ...(correlator === null ? {} : { correlator }) } }),
  };
}
