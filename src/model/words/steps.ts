/** What happened to a message, step by step, in words. */
import { counted } from '../../platform/text/counted.ts';
import { own } from '../../platform/text/own.ts';
import { reasonOf, wordOfState } from './states.ts';
import { networkOf, ownCodes, starting, type Told, tellerOf, wasAccepted } from './told.ts';

export interface ToldStep {
  event: string;
  state?: string | undefined;
  reason?: string | undefined;
  reasonCode?: string | undefined;
  /** What a report says besides. */
  details?: Readonly<Record<string, string>> | undefined;
  /** The one that did not take it. */
  connector?: string | undefined;
}

/** A message with what its steps speak of. */
export interface ToldMessage extends Told {
  clientId?: string | undefined;
  units: number;
  segments?: number | undefined;
}

export interface StepWords {
  what: string;
  why?: string | undefined;
}

/** Of the timeline of the API: an event without words does not compile. */
export const events = [
  'Accepted',
  'Scheduled',
  'Released',
  'Cancelled',
  'PassedOver',
  'Refused',
  'Submitted',
  'Reported',
  'Refunded',
  'ReceiptPosted',
  'ReceiptExhausted',
] as const;
export type StepEvent = (typeof events)[number];

const steps: { readonly [E in StepEvent]: (step: ToldStep, message: ToldMessage) => StepWords } = {
  Accepted: (_, { clientId, units }) => ({
    what: clientId === undefined ? 'Accepted' : `Accepted from client ${clientId}`,
    why: units > 0 ? `${counted(units, 'unit')} debited.` : undefined,
  }),
  Scheduled: (_, { fallbackOf }) => ({
    what: fallbackOf === undefined ? 'Accepted to be sent later' : 'Accepted to be in reserve',
  }),
  Released: () => ({ what: 'It may leave now' }),
  Cancelled: ({ reason, reasonCode }) => {
    if (reasonCode === ownCodes.bundleNotDelivered) return { what: 'Not sent: its bundle was not delivered' };
    if (reasonCode === ownCodes.fallbackNotNeeded) return { what: 'Not needed', why: `${reason}.` };
    return { what: 'Cancelled, with what else of its request had not left' };
  },
  PassedOver: ({ connector, reason }) => ({
    what: `Connector ${connector} was passed over`,
    why: reason === undefined ? undefined : `${starting(reason)}.`,
  }),
  Refused: ({ connector, reason, reasonCode }) => ({
    what: `Connector ${connector} refused it: the next one has its turn`,
    why: reason === undefined ? undefined : `${reason}${reasonCode === undefined ? '' : ` (${reasonCode})`}.`,
  }),
  Submitted: (_, message) => ({
    what: `Handed over to ${networkOf(message)}`,
    why: `${message.segments === undefined ? '' : `In ${counted(message.segments, 'part')}. `}${starting(networkOf(message))} accepted it.`,
  }),
  Reported: (step, message) => {
    const told = { ...message, ...step, state: step.state ?? '' };
    const word = wordOfState(told.state).toLowerCase();
    const { said, means } = reasonOf(told);
    return {
      what: reportedWords(told, word),
      why:
        [
          ...(said === undefined ? [] : [`${means === undefined ? '' : `${starting(means)}: `}${said}.`]),
          ...Object.entries(step.details ?? {}).map(([name, value]) => `${name}: ${value}.`),
        ].join(' ') || undefined,
    };
  },
  Refunded: (_, { units }) => ({ what: `${counted(units, 'unit')} refunded` }),
  ReceiptPosted: () => ({ what: 'The endpoint acknowledged the receipt' }),
  ReceiptExhausted: () => ({ what: 'The receipt was given up' }),
};

function reportedWords(told: Told, word: string): string {
  const { state, reason, reasonCode } = told;
  const network = starting(networkOf(told));
  const by = tellerOf(told);
  if (state === 'Expired') return 'Expired: no network took it within its validity';
  if (reasonCode === ownCodes.optedOut) return 'Not sent: the number is on our list of opt-outs';
  if (by === 'we' && state === 'Duplicated') return 'Not sent: the campaign had given the number a bundle';
  if (by === 'we' && state === 'InvalidDenomination')
    return 'Not sent: the connector does not know this bundle';
  if (by === 'we') return `Not sent: ${network} responded with errors each time`;
  if (by === 'nobody') return `${network} sent no report within 72 hours: ${word}`;
  if (wasAccepted(told)) return `${network} reported: ${word}`;
  return reasonCode === undefined && reason !== undefined
    ? `Not sent: ${word}`
    : `${network} refused it: ${word}`;
}

/** An event that is not known here is shown as it is. */
export function wordsOfStep(step: ToldStep, message: ToldMessage): StepWords {
  const words = own(steps, step.event as StepEvent);
  return words === undefined ? { what: step.event } : words(step, message);
}
