/** The states of a message, by product. They only move forward. */
import type { Product } from '../intake/plan.ts';
import { products, rulesOf } from '../products.ts';
import type { OwnedReceipt } from './owned-receipt.ts';

/** Where an SMS waits for its bundle, and where it ends when the bundle was not delivered. */
type HeldState = 'Held' | 'Cancelled';

export type FinalState = (typeof products)[Product]['finalStates'][number];
export type MessageState = HeldState | (typeof products)[Product]['steps'][number] | FinalState;

/** States that a report of a network can announce. */
export type ReportedState = 'Sent' | FinalState;

/** The states from which a message may come to this one; from any other a change does nothing. */
export function statesBefore(product: Product, state: MessageState): readonly MessageState[] {
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

/** A step of one message, from a hand-over or a report. */
export interface StateChange {
  messageId: string;
  product: Product;
  state: Exclude<MessageState, 'Queued' | HeldState>;
  /** The connector that the message was submitted to; absent: as before. */
  connector?: string | undefined;
  /** The network's own id of the message. */
  networkId?: string | undefined;
  segments?: number | undefined;
  reason?: string | undefined;
  reasonCode?: string | undefined;
  /**
   * Its units are refunded: the message was never submitted, or it is a bundle that the network definitely rejected
   * after accepting it.
   */
  refund: boolean;
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
  channel: string;
  phone: string;
  content: string;
  networkId: string | null;
  state: MessageState;
  reachedAt: Date;
  reason: string | null;
  reasonCode: string | null;
  /** Its receipt, when this process posts it as soon as the state is recorded. */
  receipt?: OwnedReceipt | undefined;
}
