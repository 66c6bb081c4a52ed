/** Validates stored jobs, which another version or a person may have written. */
import type { Product } from '../model/plan.ts';
import { products } from '../model/products.ts';
import type { Group, PollJob } from './job.ts';

type Document = Readonly<Record<string, unknown>>;

/** What the document of a delivery job holds; the rest of the job is in columns. */
export interface DeliveryDocument extends Group {
  requestIds: readonly string[];
  messageIds?: readonly string[] | null;
  unknown?: boolean;
  unanswered?: boolean;
}

/** Undefined: the document is not a job of this queue. */
export const jobReaders: {
  deliver: (data: unknown) => DeliveryDocument | undefined;
  poll: (data: unknown) => PollJob | undefined;
} = {
  deliver: (data) => {
    const { requestIds, messageIds, unknown, unanswered, product, channel, way } = documentOf(data);
    const readable =
      isProduct(product) &&
      typeof channel === 'string' &&
      (way === undefined || typeof way === 'string') &&
      isListOf(requestIds, isUuid) &&
      (unknown === undefined || typeof unknown === 'boolean') &&
      (unanswered === undefined || typeof unanswered === 'boolean') &&
      (messageIds === undefined || messageIds === null || isListOf(messageIds, isMessageId));
    return readable ? (data as DeliveryDocument) : undefined;
  },
  poll: (data) => {
    const { messageIds, polls } = documentOf(data);
    const readable = isListOf(messageIds, isMessageId) && Number.isSafeInteger(polls);
    return readable ? (data as PollJob) : undefined;
  },
};

/** Undefined: the lane is of no product that this version knows. */
export function groupOfLane(lane: string): Group | undefined {
  const [product, channel, way] = lane.split(' ');
  if (!isProduct(product) || channel === undefined) return undefined;
  return { product, channel, ...(way === undefined ? {} : { way }) };
}

function documentOf(data: unknown): Document {
  return data !== null && typeof data === 'object' ? (data as Document) : {};
}

function isProduct(value: unknown): value is Product {
  return typeof value === 'string' && Object.hasOwn(products, value);
}

function isListOf(value: unknown, isOne: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne);
}

function isUuid(value: unknown): boolean {
  return typeof value === 'string' && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value);
}

/** The digits of a positive bigint. */
function isMessageId(value: unknown): boolean {
  return typeof value === 'string' && /^[1-9]\d{0,17}$/.test(value);
}
