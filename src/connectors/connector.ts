/** What every connector to a network offers, whatever the network speaks. */
import type { FinalState } from '../receipts/states.ts';

/** A message on its way to a network. */
export interface OutboundMessage {
  /** Our reference; unique over all messages. */
  id: string;
  /** E.164. */
  phone: string;
  sender: string;
  text: string;
}

/** What became of handing one message over. */
export type HandOver =
  /** The network has it. Networks that know more at once, or later by themselves, say so in `reports`. */
  | { kind: 'accepted'; networkId?: string; reports?: readonly AnnouncedReport[] }
  /** It never left us and never will: its units go back. */
  | { kind: 'rejected'; state: FinalState; reason: string; reasonCode?: string }
  /** Not now: it stays queued and is tried again. */
  | { kind: 'later'; delaySeconds: number };

export interface AnnouncedReport {
  state: FinalState;
  /** 0: part of the hand-over's own answer. */
  afterSeconds: number;
}

export interface Connector {
  /**
   * Hands messages over, and answers for each in the same order. Rejects only when nothing is known of any
   * of them: they are all tried again. Called without an open transaction; takes less than a job's lease.
   */
  send: (messages: readonly OutboundMessage[]) => Promise<HandOver[]>;
}
