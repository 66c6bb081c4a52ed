/** The types of Koa's state for a request. */
import type { Caller } from '../clients/client.ts';
import type { Origin } from './origin.ts';

/** What the stages of one request leave for the next ones. */
export interface RequestState {
  origin: Origin;
  operationId?: string;
  /** Where the page that calls is from, as far as any client lists it. */
  webOrigin?: string;
  caller?: Caller;
  /** How long the body was; undefined while it is not read. */
  bodyBytes?: number;
  /** The body as it was parsed. */
  body?: unknown;
  refusal?: Refusal;
}

/** Why a request was refused, for the log. */
export interface Refusal {
  /** The name of the error's page in the documentation. */
  slug: string | undefined;
  /** What exactly was wrong, where the response does not tell. */
  reason: string | undefined;
}
