/** What every connector to a network offers, whatever the network speaks. */
import type { Product } from '../intake/plan.ts';
import type { FinalState, ReportedState } from '../receipts/states.ts';

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
  /** The text of an SMS, the denomination of a bundle, the components of a chat-app message as JSON. */
  content: string;
}

/** What became of handing one message over. */
export type HandOver =
  /** The network has it. Networks that know more at once, or later by themselves, say so in `reports`. */
  | { kind: 'accepted'; networkId?: string; reports?: readonly AnnouncedReport[] }
  /** It never left us and never will: its units go back. */
  | { kind: 'rejected'; state: FinalState; reason: string; reasonCode?: string }
  /** Not now: the network does not have it; it stays queued and is tried again. */
  | { kind: 'later'; delaySeconds: number }
  /** It may have arrived: the network is asked, after the delay, before anything is sent again. */
  | { kind: 'unclear'; delaySeconds: number };

export interface AnnouncedReport {
  state: ReportedState;
  /** 0: part of the hand-over's own answer. */
  afterSeconds: number;
}

/** What a network knows of a message that may have reached it. */
export type Asked = HandOver | { kind: 'unknown' };

export interface Connector {
  /**
   * Hands messages over, and answers for each in the same order. Rejects only when nothing is known of any
   * of them: they are all tried again. Called without an open transaction; takes less than a job's lease.
   */
  send: (messages: readonly OutboundMessage[]) => Promise<HandOver[]>;
  /**
   * Has a connector whose network must never get a message twice. Asks by our reference what became of messages
   * whose hand-over was interrupted; `unknown`: the network never got it.
   */
  ask?: (messages: readonly OutboundMessage[]) => Promise<Asked[]>;
}
