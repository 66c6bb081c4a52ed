/** The states of a message, by product. They only move forward. */
import type { Product } from '../intake/plan.ts';
import type { OwnedReceipt } from './owned-receipt.ts';

/** Where a message of each product stays for good, as receipts publish it. */
export const finalStates = {
  sms: [
    'Delivered',
    'DeliveryUncertain',
    'DeliveryImpossible',
    'SenderBlacklisted',
    'SubscriberOptedOut',
    'AbsentSubscriber',
    'InvalidMsisdn',
    'Failed',
  ],
  data: ['Delivered', 'Uncertain', 'Failed', 'InvalidMsisdn', 'InvalidDenomination', 'Duplicated'],
  chatapp: ['Read', 'Failed', 'Uncertain'],
} as const satisfies Record<Product, readonly string[]>;

/**
 * The way to them. Queued: with us. Sending: on its way to a network that must not get it twice. Submitted: a
 * network has it and owes a report.
 */
const way = {
  sms: ['Queued', 'Submitted'],
  data: ['Queued', 'Sending', 'Submitted'],
  chatapp: ['Queued', 'Sending', 'Submitted', 'Sent', 'Delivered'],
} as const satisfies Record<Product, readonly string[]>;

/** Where an SMS waits for its bundle, and where it ends when the bundle was not delivered. */
type HeldState = 'Held' | 'Cancelled';

export type FinalState = (typeof finalStates)[Product][number];
export type MessageState = HeldState | (typeof way)[Product][number] | FinalState;

/** States that a report of a network can announce. */
export type ReportedState = 'Sent' | FinalState;

/** What 72 hours without a report end in. */
export const stateOfSilence = {
  sms: 'DeliveryUncertain',
  data: 'Uncertain',
  chatapp: 'Uncertain',
} as const satisfies Record<Product, FinalState>;

/** A chat-app message that arrived can only be read. */
const afterArrival: ReadonlySet<MessageState> = new Set(['Read']);

/** The states from which a message may come to this one; from any other a change does nothing. */
export function statesBefore(product: Product, state: MessageState): readonly MessageState[] {
  const before: readonly MessageState[] = way[product];
  const place = before.indexOf(state);
  if (place >= 0) return before.slice(0, place);
  if (product === 'chatapp' && !afterArrival.has(state)) return before.filter((one) => one !== 'Delivered');
  return before;
}

/** How far along its way a state is; final states are as far as can be. */
export function stepOf(product: Product, state: MessageState): number {
  const before: readonly MessageState[] = way[product];
  const place = before.indexOf(state);
  return place >= 0 ? place : before.length;
}

export function isFinal(product: Product, state: MessageState): boolean {
  return (finalStates[product] as readonly MessageState[]).includes(state);
}

/** Clients hear of final states, and of every step of a chat-app message once it left us. */
export function isReported(product: Product, state: MessageState): boolean {
  return isFinal(product, state) || (product === 'chatapp' && (state === 'Sent' || state === 'Delivered'));
}

/** A step of one message, from a hand-over or a report. */
export interface StateChange {
  messageId: string;
  product: Product;
  state: Exclude<MessageState, 'Queued' | HeldState>;
  /** The connector that was asked to take the message; absent: as before. */
  connector?: string | undefined;
  /** The network's own id of the message. */
  networkId?: string | undefined;
  segments?: number | undefined;
  reason?: string | undefined;
  reasonCode?: string | undefined;
  /**
   * Its units go back to the account they came from: the message never left us, or it is a bundle that the
   * network definitely refused after it had taken it.
   */
  refund: boolean;
  /** A bundle was taken back after it had been delivered. */
  reversal?: boolean;
  /** By the network's clock; absent: now. */
  reachedAt?: Date | undefined;
}

/** A message that has just reached a state its client hears of, with what the receipt needs. */
export interface ReachedState {
  messageId: string;
  /** 1 for the first state its client hears of, 2 for the next. */
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
