/** The states of a message, by product. They only move forward. */

import type { FallbackState, Product } from './plan.ts';
import { productNames, products, rulesOf } from './products.ts';

/** Where an SMS waits for its bundle. */
type HeldState = 'Held';

export type FinalState = (typeof products)[Product]['finalStates'][number];
export type MessageState = HeldState | (typeof products)[Product]['steps'][number] | FinalState;

/** Where a message is that has not come to its end. */
interface UnderWay {
  /** No network has it. */
  unsubmitted: boolean;
  /** We have yet to hand it over, as soon as we can. */
  withUs: boolean;
  /** It has a job in the queue. */
  queued: boolean;
  /** A network has it, or may have it, and owes a report. */
  awaitsReport: boolean;
}

const underWay = {
  Held: { unsubmitted: true, withUs: true, queued: false, awaitsReport: false },
  Scheduled: { unsubmitted: true, withUs: false, queued: false, awaitsReport: false },
  Queued: { unsubmitted: true, withUs: true, queued: true, awaitsReport: false },
  // As far as we know.
  Sending: { unsubmitted: true, withUs: true, queued: true, awaitsReport: true },
  Submitted: { unsubmitted: false, withUs: false, queued: false, awaitsReport: true },
  Sent: { unsubmitted: false, withUs: false, queued: false, awaitsReport: true },
} as const satisfies { [State in MessageState]?: UnderWay };

export const statesUnderWay = Object.keys(underWay) as (keyof typeof underWay)[];

export const statesThat = (rule: keyof UnderWay): MessageState[] =>
  statesUnderWay.filter((state) => underWay[state][rule]);

const ofAll = (states: (product: Product) => readonly string[]) =>
  [...new Set(productNames.flatMap(states))] as MessageState[];

/** Those in which a recipient has a message. */
export const goodStates = ofAll((product) => rulesOf(product).goodStates);

/** The ends of messages that no recipient is known to have. */
export const badStates: readonly MessageState[] = ofAll((product) => rulesOf(product).finalStates).filter(
  (state) => !goodStates.includes(state),
);

/** Of these no product has receipts. */
export const silentStates = ofAll((product) => rulesOf(product).steps).filter((state) =>
  productNames.every((product) => !rulesOf(product).announcedSteps.includes(state)),
);

export const allStates: readonly MessageState[] = [...statesUnderWay, ...goodStates, ...badStates];

/** SQL, such as `('Held', 'Queued')`. */
export const listOf = (states: readonly MessageState[]): string =>
  `(${states.map((state) => `'${state}'`).join(', ')})`;

/** SQL: a network has a message, or may have it, and owes a report. */
export const awaitsReport = `state in ${listOf(statesThat('awaitsReport'))}`;

/**
 * SQL: the messages that await a report, whatever else `condition` says of them: those that are late, and those not looked
 * through yet. Of what is stored beside them, it reads what was handed over in the last minutes.
 */
export const awaitingReport = (columns: string, condition = 'true') => `
  select ${columns} from messages where late_report and ${condition}
  union all
  select ${columns} from messages
  where submitted_at >= (select looked_until from late_reports) and ${awaitsReport} and not late and ${condition}`;

/**
 * SQL: the state of a message or receipt that is looked up by its id or its request. No partial index has this expression,
 * so none is used: with old statistics the planner takes such an index for almost empty, and reads all of it.
 */
export const stateOfFound = (table: string): string => `coalesce(${table}.state, '')`;

/**
 * SQL: the state as a table's second partial index on it has it, which sorts the same rows differently. If both indexes had
 * the same expression, the planner could take the wrong one, when its statistics are old, and sort all of its rows.
 */
export const stateInSecondOrder = (table: string): string => `(${table}.state || '')`;

/** How we end a message that no network has, and what it may be in before. */
const ownEnds = {
  Expired: ['Scheduled', 'Queued', 'Sending'],
  Cancelled: ['Held', 'Scheduled', 'Queued'],
} as const satisfies { [State in FinalState]?: readonly MessageState[] };

/** How a network can end a message. */
export type NetworkState = Exclude<FinalState, keyof typeof ownEnds>;

const isOwnEnd = (state: MessageState): state is keyof typeof ownEnds => Object.hasOwn(ownEnds, state);

export function networkStatesOf(product: Product): readonly NetworkState[] {
  const all: readonly FinalState[] = products[product].finalStates;
  return all.filter((state): state is NetworkState => !isOwnEnd(state));
}

/** States that a report of a network can announce. */
export type ReportedState = 'Sent' | NetworkState;

/** The states from which a message may come to this one; from any other a change does nothing. */
export function statesBefore(product: Product, state: MessageState): readonly MessageState[] {
  if (isOwnEnd(state)) return ownEnds[state];
  const { leadsOnlyTo } = rulesOf(product);
  const steps = stepsOf(product);
  const place = steps.indexOf(state);
  if (place >= 0) return steps.slice(0, place);
  return steps.filter((step) => leadsOnlyTo[step]?.includes(state) ?? true);
}

/** How far along its way a state is; final states are as far as can be. */
export function stepOf(product: Product, state: MessageState): number {
  const place = stepsOf(product).indexOf(state);
  return place >= 0 ? place : stepsOf(product).length;
}

const stepsOf = (product: Product): readonly MessageState[] => products[product].steps;

export function isFinal(product: Product, state: MessageState): boolean {
  return rulesOf(product).finalStates.includes(state);
}

/** Whether clients get a receipt of it. */
export function isReported(product: Product, state: MessageState): boolean {
  return isFinal(product, state) || rulesOf(product).announcedSteps.includes(state);
}

/** Whether its network must not get a message twice: it is marked before it is handed over. */
export function isSentOnce(product: Product): boolean {
  return stepsOf(product).includes('Sending');
}

/** SQL: the `passed_states` of a message that moves on. Most never reached a state before. */
export const passedStates = (message: string) => `case when ${message}.reached_at is not null
  then coalesce(${message}.passed_states, '{}') || jsonb_build_object(${message}.state, ${message}.reached_at) end`;

/** A step of one message, from a hand-over or a report. */
export interface StateChange {
  messageId: string;
  product: Product;
  state: Exclude<MessageState, 'Scheduled' | 'Queued' | HeldState>;
  /** The connector that the message was submitted to; absent: as before. */
  connector?: string | undefined;
  /** The network's own id of the message. */
  networkId?: string | undefined;
  segments?: number | undefined;
  reason?: string | undefined;
  reasonCode?: string | undefined;
  /** What the report says besides. */
  details?: Readonly<Record<string, string>> | undefined;
  /**
   * Its units are refunded: the message was never submitted, or it is a bundle that the network definitely rejected
   * after accepting it.
   */
  refund: boolean;
  /** As far as we know no network accepted the message; absent: one did. */
  accepted?: false;
  /** A bundle was reversed after it had been delivered. */
  reversal?: boolean;
  /** By the network's clock; absent: now. */
  reachedAt?: Date | undefined;
}

/** A message that has just reached a state with a receipt, and what the receipt needs. */
export interface ReachedState {
  messageId: string;
  /** 1 for the first state with a receipt, 2 for the next. */
  sequence: number;
  product: Product;
  requestId: string;
  teamId: string;
  clientId: string;
  /** The service or campaign of the request. */
  resourceId: string;
  position: number;
  correlator: string | null;
  callbackUrl: string | null;
  /** The trace of its request; null: it has none. */
  trace: string | null;
  channel: string;
  phone: string;
  content: string;
  networkId: string | null;
  state: MessageState;
  /** It was delivered before. */
  wasDelivered: boolean;
  reachedAt: Date;
  reason: string | null;
  reasonCode: string | null;
  /** It is of a request with SMS in reserve: one of them, or a chat-app message that has one. */
  hasFallback: boolean;
  /** What has become of its SMS in reserve; absent: it has none. */
  fallback?: FallbackState | undefined;
}
