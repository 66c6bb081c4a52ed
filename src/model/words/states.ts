/** What the state of a message means and what to do next: one table for the console, the terminal and the guides. */
import { own } from '../../platform/text/own.ts';
import type { ProductName } from '../products.ts';
import type { MessageState } from '../states.ts';
import { type ReasonWords, wordsOfCode } from './reasons.ts';
import {
  networkOf,
  ownCodes,
  ownReasons,
  starting,
  type Teller,
  type Told,
  tellerOf,
  wasAccepted,
} from './told.ts';

export interface StateWords {
  /** In lists. */
  word: string;
  heading: string;
  sentence: string;
  /** What to do, if there is anything. */
  next?: string | undefined;
}

/** `N`: the network at the beginning of a sentence. */
type Words = (told: Told & { network: string; N: string; by: Teller }) => Omit<StateWords, 'word'>;

const askFirst: Readonly<Record<ProductName, string>> = {
  Sms: 'Sent again, it may arrive twice: ask the recipient first, or the network.',
  MobileData: 'Do not give it again before the provider has said that it was not given.',
  ChatApp: 'Sent again, it may arrive twice: ask the recipient first.',
};

const unknownEnd: Words = ({ product, N, by }) => ({
  heading: 'Nobody knows whether it arrived',
  sentence:
    by === 'nobody'
      ? `${N} sent no report within 72 hours. It may have arrived.`
      : `${N} reported that it does not know. It may have arrived.`,
  next: own(askFirst, product as ProductName),
});

const failed: Words = (told) => {
  const { product, N, by, reason, reasonCode } = told;
  const { next } = reasonOf(told);
  const silent = reason === undefined && reasonCode === undefined;
  const why = silent ? `${N} gave no reason.` : '';
  const ask = silent ? 'Ask the network, with the time and the number.' : 'Ask the network, with the reason.';
  if (by === 'we')
    return {
      heading: 'It could not be sent',
      sentence: `${N} responded with errors each time that it was tried, so we gave up.`,
      next: 'Look at its connector: if others fail too, ask the network.',
    };
  if (!wasAccepted(told) && !silent && reasonCode === undefined)
    return {
      heading: 'It was not sent',
      sentence: 'No network has it.',
      next: 'Look at the reason, and at its connector.',
    };
  if (wasAccepted(told))
    return {
      heading: `${N} did not deliver it`,
      sentence: `${N} accepted it first, and reported later that it failed. ${why}`.trim(),
      next: next ?? ask,
    };
  return {
    heading: `${N} refused it`,
    sentence:
      `It was not accepted, so it was not ${product === 'MobileData' ? 'given' : 'sent'}. ${why}`.trim(),
    next: next ?? ask,
  };
};

const table: { readonly [State in MessageState]: readonly [word: string, words: Words] } = {
  Scheduled: [
    'Scheduled',
    ({ fallbackOf }) =>
      fallbackOf === undefined
        ? {
            heading: 'It waits for its time',
            sentence:
              'It is sent at the time that was asked for, or when the quiet hours of its recipient end.',
          }
        : {
            heading: 'It is in reserve',
            sentence: 'It is sent if its chat-app message fails, or is not delivered until its time.',
          },
  ],
  Held: [
    'Waits for bundle',
    () => ({
      heading: 'It waits for its bundle',
      sentence: 'It is sent once its bundle is delivered, and never if it is not.',
    }),
  ],
  Queued: [
    'Waiting',
    ({ network }) => ({
      heading: `It waits for ${network}`,
      sentence: 'It is handed over as soon as the connector takes it.',
      next: 'If it waits for long, look at the connector.',
    }),
  ],
  Sending: [
    'Being sent',
    ({ network, N }) => ({
      heading: `It is on its way to ${network}`,
      sentence: `${N} has not said yet whether it takes it.`,
    }),
  ],
  Submitted: [
    'With network',
    ({ product, N }) => ({
      heading: `${N} has it`,
      sentence:
        product === 'MobileData'
          ? 'It is asked until it says whether the bundle was given. After 72 hours the state is unknown.'
          : 'It owes a report. After 72 hours without one the state is unknown.',
    }),
  ],
  Sent: [
    'Sent',
    ({ N }) => ({
      heading: `${N} has sent it`,
      sentence: 'It has not reached the phone, as far as is known.',
    }),
  ],
  Delivered: [
    'Delivered',
    ({ product }) => ({
      heading: 'It was delivered',
      sentence: product === 'MobileData' ? 'The number has its bundle.' : 'It is on the phone.',
    }),
  ],
  Read: ['Read', () => ({ heading: 'It was read', sentence: 'Its recipient has opened it.' })],
  DeliveryUncertain: ['Unknown', unknownEnd],
  Uncertain: ['Unknown', unknownEnd],
  DeliveryImpossible: [
    'Not deliverable',
    ({ N }) => ({
      heading: `${N} could not deliver it`,
      sentence: 'It reported that it gave up.',
      next: 'Check the number. If many numbers end like this, ask the network.',
    }),
  ],
  SenderBlacklisted: [
    'Sender blocked',
    ({ N }) => ({
      heading: 'The recipient blocks the sender',
      sentence: `${N} reported that this person gets nothing from this sender.`,
      next: 'Do not send to this number through this service again.',
    }),
  ],
  SubscriberOptedOut: [
    'Opted out',
    ({ N, by, product }) => ({
      heading: 'The recipient has opted out',
      sentence:
        by === 'we'
          ? 'The number is on our list of opt-outs, so the message was not handed over to any network.'
          : product === 'ChatApp'
            ? `${N} reported that the person has stopped marketing messages from this sender.`
            : `${N} reported that the person has opted out.`,
      next:
        by === 'we'
          ? 'Do not send to this number: its opt-outs say since when, and from what.'
          : product === 'ChatApp'
            ? 'Do not send marketing to this number through this service again.'
            : 'Do not send to this number again.',
    }),
  ],
  AbsentSubscriber: [
    'Not reached',
    ({ N }) => ({
      heading: `${N} could not reach the phone`,
      sentence: 'The phone was off, out of coverage or full until the network gave up.',
      next: 'Send it again later. If many numbers end like this, look at the connector.',
    }),
  ],
  InvalidMsisdn: [
    'Wrong number',
    ({ N }) => ({
      heading: `${N} does not know the number`,
      sentence: 'It may be mistyped, out of use, or with another operator.',
      next: 'Correct it where it came from.',
    }),
  ],
  InvalidDenomination: [
    'Unknown bundle',
    ({ by }) =>
      by === 'we'
        ? {
            heading: 'The connector has no such bundle',
            sentence: 'The settings of the connector do not name this denomination, so it was not asked for.',
            next: 'Add it to the settings of the connector, or take it out of the campaign.',
          }
        : {
            heading: 'The provider has no such bundle',
            sentence: 'The provider does not offer this denomination.',
            next: 'Ask the provider which bundles it has, or take this one out of the campaign.',
          },
  ],
  Duplicated: [
    'Had it already',
    ({ by }) =>
      by === 'we'
        ? {
            heading: 'The number had a bundle already',
            sentence: 'Its campaign gave it one, and does not allow another yet.',
          }
        : {
            heading: 'The provider gave one before',
            sentence: 'It refused another for this number, or knew the disbursement already.',
          },
  ],
  Failed: ['Failed', failed],
  Expired: [
    'Expired',
    () => ({
      heading: 'It expired',
      sentence: 'Its validity ended before a network took it, so it was not sent.',
      next: 'Look at the connector: was it paused, or without a connection? Quiet hours may also have been longer than its validity.',
    }),
  ],
  Cancelled: [
    'Not sent',
    ({ reason, reasonCode }) => {
      if (reasonCode === ownCodes.bundleNotDelivered)
        return {
          heading: 'It was not sent',
          sentence: 'It was to follow its bundle, which was not delivered.',
        };
      if (reasonCode === ownCodes.fallbackNotNeeded)
        return { heading: 'It was not needed', sentence: `${reason}.` };
      return { heading: 'It was cancelled', sentence: 'Its request was cancelled before a network took it.' };
    },
  ],
};

/** In lists. A state that is not known here is shown as it is. */
export const wordOfState = (state: string): string => own(table, state as MessageState)?.[0] ?? state;

export function wordsOf(told: Told): StateWords {
  const known = own(table, told.state as MessageState);
  if (known === undefined) return { word: told.state, heading: told.state, sentence: '' };
  const [word, words] = known;
  const network = networkOf(told);
  return { word, ...words({ ...told, network, N: starting(network), by: tellerOf(told) }) };
}

/** What the reason of a state means; nothing of our own, which the sentence of the state says. */
export function reasonOf(told: Told): ReasonWords & { said?: string } {
  const { reason, reasonCode } = told;
  const isOurs = tellerOf(told) !== 'network' && reason !== ownReasons.tooOften;
  const said = [reason, reasonCode && `code ${reasonCode}`].filter(Boolean).join(', ');
  return isOurs || said === '' ? {} : { said, ...wordsOfCode(told) };
}
