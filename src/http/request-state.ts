/** The types of Koa's state for a request, and who is charged for it. */
import type { Origin } from './origin.ts';

/** What logs and limits need to know of a caller, whichever document it calls. */
export interface AnyCaller {
  /** Undefined: a management user of the platform. */
  teamId: string | undefined;
  /** The client of a team. */
  clientId?: string;
  /** The management user. */
  userId?: string;
}

/** Who is charged for the bodies of a caller: its team, or a user of the platform. */
export function holderOf({ teamId, userId }: AnyCaller): string {
  return teamId ?? `user ${userId}`;
}

/** State that the stages of one request leave for the next ones. */
export interface RequestState {
  requestId: string;
  /** Whether the service chose the id, which nobody else can have. */
  requestIdIsOurs: boolean;
  /** The id of what was accepted, where it is another one. */
  acceptedId?: string;
  origin: Origin;
  operationId?: string;
  /** What the paths of the contract are below, such as `/management`. */
  basePath?: string;
  /** Its path in the contract. */
  route?: string;
  /** The trace that what follows belongs to, as it is stored. */
  trace?: string;
  /** Where the page that calls is from, as far as any client lists it. */
  webOrigin?: string;
  caller?: AnyCaller;
  /** How long the body was; undefined while it is not read. */
  bodyBytes?: number;
  /** The body as it was parsed. */
  body?: unknown;
  refusal?: Refusal;
}

/** Why a request was rejected, for the log. */
export interface Refusal {
  /** The name of the error's page in the documentation. */
  slug: string | undefined;
  /** The exact reason, if the response does not have it. */
  reason: string | undefined;
}
