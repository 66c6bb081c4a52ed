/** The states of a message. They only move forward: Queued, Submitted, one final state. */

/** Final states of an SMS, as receipts publish them. */
export const finalStates = [
  'Delivered',
  'DeliveryUncertain',
  'DeliveryImpossible',
  'SenderBlacklisted',
  'SubscriberOptedOut',
  'AbsentSubscriber',
  'InvalidMsisdn',
  'Failed',
] as const;

export type FinalState = (typeof finalStates)[number];

/** Queued: with us. Submitted: a network has it and owes a report. */
export type MessageState = 'Queued' | 'Submitted' | FinalState;

/** A step of one message, from a hand-over or a report. */
export interface StateChange {
  messageId: string;
  state: 'Submitted' | FinalState;
  /** The network's own id of the message. */
  networkId?: string | undefined;
  segments?: number | undefined;
  reason?: string | undefined;
  reasonCode?: string | undefined;
  /** The message never left us: its units go back to the account they came from. */
  refund: boolean;
}

/** A message that has just reached a final state, with what its receipt needs. */
export interface FinishedMessage {
  messageId: string;
  requestId: string;
  clientId: string;
  correlator: string | null;
  callbackUrl: string | null;
  channel: string;
  phone: string;
  state: FinalState;
  finalAt: Date;
  reason: string | null;
  reasonCode: string | null;
}
