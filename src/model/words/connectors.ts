/** Whether connectors take messages, in words: one table for the console, doctor, logs and the guides. */
import { own } from '../../platform/text/own.ts';

/** `away`: no worker runs it. */
export type ConnectorCondition = 'open' | 'unbound' | 'paused' | 'faulty' | 'away';

export interface ConditionWords {
  /** In lists. */
  word: string;
  /** What it does, after its name. */
  does: string;
  heading: string;
  /** What to do, if there is anything. */
  next?: string;
}

export const connectorWords: { readonly [C in ConnectorCondition]: ConditionWords } = {
  open: { word: 'Open', does: 'takes messages', heading: 'The network takes messages' },
  unbound: {
    word: 'No connection',
    does: 'has no connection',
    heading: 'There is no connection to the network',
    next: 'Check host and port, then ask the network.',
  },
  paused: {
    word: 'Paused',
    does: 'is paused',
    heading: 'It is paused: new messages wait, reports still arrive',
    next: 'Test it, then resume it.',
  },
  faulty: {
    word: 'Cannot start',
    does: 'cannot start',
    heading: 'It cannot start',
    next: 'Correct its settings or secrets.',
  },
  away: {
    word: 'No worker',
    does: 'has no worker',
    heading: 'No worker runs it',
    next: 'Start a worker, and look at its log if one runs.',
  },
};

/** A condition that a later version has is its own word. */
export const wordsOfCondition = (condition: string): ConditionWords =>
  own(connectorWords, condition as ConnectorCondition) ?? {
    word: condition,
    does: `is ${condition}`,
    heading: condition,
  };
