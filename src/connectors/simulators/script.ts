/** Scripts of simulated networks: what one does with a message to a number, step by step. */
import type { Product } from '../../model/plan.ts';
import type { NetworkState, ReportedState } from '../../model/states.ts';

export interface ScriptedReport {
  state: ReportedState;
  /** Since the network accepted the message; 0: in its response. */
  afterSeconds: number;
  reason?: string;
  reasonCode?: string;
}

/** What the person writes back. */
export interface ScriptedReply {
  text: string;
  /** Since the network accepted the message. */
  afterSeconds: number;
  /** Only to this message of those that the number gets, from 1; absent: to each. */
  turn?: number;
  /** The text is the caption of a picture. */
  picture?: true;
}

export interface Script {
  /** How often the network throttles a message before it accepts it. */
  throttled?: number;
  /** The network rejects the message on submission. */
  rejected?: { state: NetworkState; reason: string; reasonCode?: string };
  /** In the order in which they are due. */
  reports: readonly ScriptedReport[];
  replies?: readonly ScriptedReply[];
  /** Which message of those that the number gets this one is, from 1; the same however often it is asked. */
  turnOf?: (messageId: string) => number;
}

/** What the person writes back to this message. */
export function repliesTo(messageId: string, { replies = [], turnOf }: Script): readonly ScriptedReply[] {
  if (replies.every(({ turn }) => turn === undefined)) return replies;
  const current = turnOf?.(messageId);
  return replies.filter(({ turn }) => turn === undefined || turn === current);
}

/** Finds the script of a phone number in E.164 form. */
export type ScriptOf = (phone: string) => Script;

/** Of the simulated network of each product. */
export type SimulatorScripts = { readonly [P in Product]: ScriptOf };
