/** The interface of every connector, whatever the protocol of its network. */
import type { Product } from '../../model/plan.ts';
import type { FinalState, ReportedState } from '../../model/states.ts';
import type { ConnectorCondition } from '../../model/words/connectors.ts';
import type { Share } from './share.ts';

/** A message on its way to a network. */
export interface OutboundMessage {
  /** Our reference; unique over all messages. */
  id: string;
  product: Product;
  /** The channel; of a chat-app message the number it is sent from. */
  channel: string;
  /** E.164. */
  phone: string;
  /** Where an SMS or chat-app message comes from. */
  sender: string | null;
  /** The text of an SMS, the denomination of a bundle, the FilledTemplate or SessionContent of a chat-app message as JSON. */
  content: string;
  /** What regulators want to know of the text and the sender of an SMS, by name. */
  registrations?: Readonly<Record<string, string>>;
  /** Of an SMS, 0: phones show it at once and do not keep it. Null or absent: a text as any other. */
  messageClass?: 0 | null;
}

/** A part of a message that the network has taken. */
export interface SentPart {
  messageId: string;
  /** From 1. */
  number: number;
  /** How many parts the message has. */
  parts: number;
  networkId: string;
}

/** The result of submitting one message. */
export type HandOver =
  /**
   * The network accepted it. `reports`: states that its response already reports, in order; other reports arrive
   * later. `partIds`: a message that left in several parts, with each part's id. `segments`: the parts of an SMS, if
   * they are not those that most networks make of its text.
   */
  | {
      kind: 'accepted';
      networkId?: string;
      partIds?: readonly string[];
      reports?: readonly ReportedState[];
      segments?: number;
      /** `SentParts.keep` has stored already that the network has it. */
      stored?: true;
    }
  /** It never left us and never will: its units go back. */
  | { kind: 'rejected'; state: FinalState; reason: string; reasonCode?: string }
  /**
   * Not now: the network does not have it, or not all of it; it stays queued and is tried again. `sent`: parts that it
   * has, and that `SentParts.keep` could not store. `unanswered`: the network may have it all the same.
   */
  | { kind: 'later'; delaySeconds: number; sent?: readonly SentPart[]; unanswered?: true }
  /**
   * It may have arrived: the network is asked, after the delay, before anything is sent again. `unknown`: it was asked,
   * and did not know the message.
   */
  | { kind: 'unclear'; delaySeconds: number; unknown?: true }
  /** Our own code cannot write this message: the network does not have it, and another try would not help. */
  | { kind: 'faulty'; reason: string };

/** A network's report on a message, or on one part of it, after it accepted the message. */
export interface NetworkReport {
  /** The network's id of the message or part. A report names at least one of the two ids. */
  networkId?: string;
  /** Our reference, from networks that carry it. */
  messageId?: string;
  /** E.164. For a report that the network does not vouch for: it counts only if its message went to this number. */
  phone?: string;
  state: ReportedState;
  reason?: string;
  reasonCode?: string;
  /** By the network's clock; absent: when we got it. */
  occurredAt?: Date;
  /**
   * Why a bundle is refunded although the network had accepted it: it was definitely rejected, or reversed after it
   * had been delivered.
   */
  refund?: 'refused' | 'reversed';
  /** What it says besides, by the names that the settings give it: for operators. */
  details?: Readonly<Record<string, string>>;
}

/**
 * What a network knows of a message that may have reached it. `waited`: the connector has given it the time that its settings
 * say; otherwise the network may still be busy with the message.
 */
export type QueryResult = HandOver | { kind: 'unknown'; waited?: true };

/** How a connector to a network that it keeps connections to is doing. */
export interface ConnectorState {
  /** Connections it may have, and those it has; a connector without any holds its messages. */
  binds: number;
  bound: number;
  /** Messages that may be submitted without a response at once, and those that are. */
  window: number;
  inFlight: number;
  ratePerSecond: number;
}

/** What a connector noticed at its network since it was opened. */
export interface SeenTrouble {
  /** The network asked for fewer messages within the last minute. */
  throttled: boolean;
  lastError: { at: Date; reason: string } | null;
}

/** What a process reports about one of its connectors. */
export interface ConnectorStatus extends SeenTrouble {
  name: string;
  condition: Exclude<ConnectorCondition, 'away'>;
  /** Why it is paused or faulty. */
  reason: string | null;
  /** Undefined of connectors that keep no connections. */
  state: ConnectorState | undefined;
}

/**
 * Asked right before a message is written to the network. Undefined: it may leave at once. A promise: opt-outs and quiet hours
 * are looked up again, because it has waited; it resolves to what becomes of the message instead, or to undefined: ask again.
 * If it rejects, the message does not leave now.
 */
export type LookAgain = (messageId: string) => Promise<HandOver | undefined> | undefined;

export interface Connector {
  /**
   * Submits messages, and returns a result for each in the same order. Rejects only if nothing is known about any
   * of them: they are all retried. Called without an open transaction; takes less than a job's lease.
   * `leftMs`: what is left of the lease, which it looks at before each write: after that, others may submit them.
   */
  send: (
    messages: readonly OutboundMessage[],
    leftMs: () => number,
    lookAgain?: LookAgain,
  ) => Promise<HandOver[]>;
  /**
   * For networks that must never get a message twice. Queries by our reference the outcome of messages whose
   * hand-over was interrupted; `unknown`: the network never got it.
   */
  ask?: (messages: readonly OutboundMessage[]) => Promise<QueryResult[]>;
  state?: () => ConnectorState;
  /**
   * Of a kind with `account`: what this process may use of it from now on; nothing before the first call. Resolves when it uses
   * no more than that. It lets go by itself at the end of `forMs`, within the second.
   */
  use?: (share: Share) => Promise<void>;
  /** Closes what it keeps open, after the hand-overs under way. */
  close?: () => Promise<void>;
}
