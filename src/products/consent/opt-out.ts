/** What an opt-out says: who does not want which messages of whom. */

import type { Category, Product } from '../../model/plan.ts';
import { ownCodes, ownReasons } from '../../model/words/told.ts';

/** The products that people can opt out of. */
export type OptOutProduct = Exclude<Product, 'data'>;

/** ALL: one-time codes too. */
export type OptOutTarget = 'MARKETING' | 'ALL';

/** Keyword: a reply. Client: the API. Network: it reported that it delivers no messages to the number. */
export type OptOutSource = 'Keyword' | 'Client' | 'Operator' | 'Network';

/** Whose messages an opt-out applies to. */
export interface OptOutScope {
  product: OptOutProduct;
  /** Null: those of all teams. */
  teamId: string | null;
  /** Null: those of all services of the team. */
  serviceId: string | null;
}

export interface OptOut extends OptOutScope {
  id: string;
  /** Null once it was erased. */
  phone: string | null;
  target: OptOutTarget;
  source: OptOutSource;
  createdAt: Date;
}

/** A message whose recipient may have opted out. */
export interface Addressed {
  id: string;
  product: Product;
  /** In E.164 form. */
  phone: string;
  teamId: string;
  /** The service that sends it. */
  serviceId: string;
  category: Category;
  /** It confirms a word such as STOP: nothing stops it. */
  confirmation?: boolean;
}

/** The ids of those messages whose recipients have opted out. */
export type FindOptedOut = (messages: readonly Addressed[]) => Promise<ReadonlySet<string>>;

/** What becomes of a message to somebody who opted out. */
export const optedOut = {
  kind: 'rejected',
  state: 'SubscriberOptedOut',
  reason: ownReasons.optedOut,
  reasonCode: ownCodes.optedOut,
} as const;
