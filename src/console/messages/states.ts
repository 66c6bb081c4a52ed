/** What the states of messages, receipts and attempts mean, in words for people. */
import type { components } from '../../../generated/management.d.ts';
import { own } from '../../platform/text/own.ts';
import type { Html } from '../html.ts';
import type { Icon } from '../layout/icons.ts';
import { state, type Tone } from '../layout/parts.ts';

type Schemas = components['schemas'];
export type Message = Schemas['Message'];
export type Receipt = Schemas['Receipt'];
export type Attempt = Receipt['attempts'][number];

export interface StateWords {
  tone: Tone;
  sign: Icon;
  word: string;
  /** `network`: that the message goes through. */
  heading: (network: string) => string;
  sentence: string;
  /** What to do, if there is anything. */
  next?: string;
}

const states: Readonly<Record<string, StateWords>> = {
  Scheduled: {
    ...{ tone: 'moving', sign: 'clock', word: 'Scheduled' },
    heading: () => 'It waits for its time',
    sentence: 'It is sent when its time comes.',
  },
  Held: {
    ...{ tone: 'moving', sign: 'clock', word: 'Waits for bundle' },
    heading: () => 'It waits for its bundle',
    sentence: 'It is sent once its bundle is delivered.',
  },
  Cancelled: {
    ...{ tone: '', sign: 'stop', word: 'Not sent' },
    heading: () => 'It was not sent',
    sentence: 'It was cancelled, or its bundle was not delivered.',
  },
  Expired: {
    ...{ tone: 'bad', sign: 'clock', word: 'Expired' },
    heading: () => 'It expired',
    sentence: 'No network took it within its validity.',
    next: 'Look at the connector.',
  },
  Queued: {
    ...{ tone: 'moving', sign: 'clock', word: 'Waiting' },
    heading: (network) => `It waits for ${network}`,
    sentence: 'It is sent as soon as the connector takes it.',
    next: 'If it waits for long, open the connector.',
  },
  Sending: {
    ...{ tone: 'moving', sign: 'right', word: 'Being sent' },
    heading: (network) => `It is on its way to ${network}`,
    sentence: 'The network has not responded yet.',
  },
  Submitted: {
    ...{ tone: 'moving', sign: 'right', word: 'With network' },
    heading: (network) => `${network} has it`,
    sentence: 'The network owes a report. Without one its state is unknown after 72 hours.',
  },
  Sent: {
    ...{ tone: 'moving', sign: 'right', word: 'Sent' },
    heading: (network) => `${network} has sent it`,
    sentence: 'The chat app has it, the phone not yet.',
  },
  Delivered: {
    ...{ tone: 'good', sign: 'check', word: 'Delivered' },
    heading: () => 'It was delivered',
    sentence: 'It is on the phone.',
  },
  Read: {
    ...{ tone: 'good', sign: 'check', word: 'Read' },
    heading: () => 'It was read',
    sentence: 'Its recipient has opened it.',
  },
  DeliveryUncertain: {
    ...{ tone: 'fair', sign: 'question', word: 'Unknown' },
    heading: () => 'Nobody knows whether it arrived',
    sentence: 'The network sent no report, or an unclear one. It may have arrived.',
    next: 'Do not send codes or bundles twice: ask the recipient, or the network.',
  },
  DeliveryImpossible: {
    ...{ tone: 'bad', sign: 'cross', word: 'Not deliverable' },
    heading: (network) => `${network} could not deliver it`,
    sentence: 'The network says that it cannot be delivered.',
    next: 'Check the number and its channel.',
  },
  SenderBlacklisted: {
    ...{ tone: 'bad', sign: 'stop', word: 'Sender blocked' },
    heading: (network) => `${network} blocks the sender`,
    sentence: 'The network takes no messages from this sender.',
    next: 'Ask the network to unblock the sender.',
  },
  SubscriberOptedOut: {
    ...{ tone: '', sign: 'stop', word: 'Opted out' },
    heading: () => 'The recipient has opted out',
    sentence: 'They want no messages from this sender.',
    next: 'Do not send to this number again.',
  },
  AbsentSubscriber: {
    ...{ tone: 'bad', sign: 'cross', word: 'Not reached' },
    heading: (network) => `${network} could not reach the phone`,
    sentence: 'The phone was off, out of coverage or full until the network gave up.',
    next: 'Send it again later. If many numbers end like this, look at the connector.',
  },
  InvalidMsisdn: {
    ...{ tone: 'bad', sign: 'cross', word: 'Wrong number' },
    heading: (network) => `${network} does not know the number`,
    sentence: 'No phone has this number there.',
    next: 'Correct it at the client.',
  },
  InvalidDenomination: {
    ...{ tone: 'bad', sign: 'cross', word: 'Unknown bundle' },
    heading: () => 'The provider has no such bundle',
    sentence: 'The provider does not offer this denomination.',
    next: 'Set it in the connector, or take it out of the campaign.',
  },
  Duplicated: {
    ...{ tone: 'fair', sign: 'stop', word: 'Had it already' },
    heading: () => 'The number had a bundle already',
    sentence: 'The campaign or the provider gave one before.',
  },
  Uncertain: {
    ...{ tone: 'fair', sign: 'question', word: 'Unknown' },
    heading: () => 'Nobody knows whether it arrived',
    sentence: 'There was no report, or an unclear one. It may have arrived.',
    next: 'Do not send codes or bundles twice: ask the recipient, or the network.',
  },
  Failed: {
    ...{ tone: 'bad', sign: 'cross', word: 'Failed' },
    heading: () => 'It failed',
    sentence: 'It was not delivered.',
  },
};

/** A state that is not known here is shown as it is. */
export function wordsOf(name: string): StateWords {
  return (
    own(states, name) ?? {
      ...{ tone: '', sign: 'question', word: name },
      heading: () => name,
      sentence: '',
    }
  );
}

export function stateOf(name: string): Html {
  const { tone, sign, word } = wordsOf(name);
  return state(tone, sign, word);
}

/** Whether nothing more happens to it by itself. */
export const isSettled = (name: string) =>
  !['Scheduled', 'Held', 'Queued', 'Sending', 'Submitted', 'Sent'].includes(name);

/** Those of SMPP as connectors store them: eight hexadecimal digits. */
const reasons: Readonly<Record<string, string>> = {
  '0x0000000A': 'the network refused the sender: register it there',
  '0x0000000B': 'the network does not know this number',
  '0x00000033': 'the network did not understand the message: check the settings of the connector',
  '0x00000034': 'the network did not understand the message: check the settings of the connector',
  '0x000000C4': 'the network did not understand the message: check the settings of the connector',
  '0x00000008': 'the network failed five times',
  '0x00000045': 'the network failed five times',
  '0x00000064': 'the network failed five times',
  '0x00000065': 'the network rejected it: ask with the code',
  '0x00000066': 'the network rejected it: ask with the code',
  EXPIRED: 'not reached in time',
  UNDELIV: 'not deliverable',
  DELETED: 'rejected by the network',
  REJECTD: 'rejected by the network',
  UNKNOWN: 'unknown to the network',
  INVALID_MSISDN: 'the number is not with this operator',
  WRONG_NETWORK: 'the number is not with this operator',
  PRODUCT_UNAVAILABLE: 'the provider has no such bundle',
  RECENTLY_RECHARGED: 'the provider gave it before',
  DUPLICATE_REFERENCE: 'the provider gave it before',
  INSUFFICIENT_FLOAT: 'your balance at the provider is empty: refill it, then resume the connector',
  '190': 'a problem of the account or its payment: the connector is paused',
  '131031': 'a problem of the account or its payment: the connector is paused',
  '131042': 'a problem of the account or its payment: the connector is paused',
  '131056': 'too many messages to this person',
  '132015': 'the template is paused or disabled',
  '132016': 'the template is paused or disabled',
};

const ownReasons: readonly (readonly [RegExp, string])[] = [[/sent no report$/, '72 hours without a report']];

/** What is known of a reason, then the network's own words and code. */
export function reasonWords({ reason, reasonCode }: Pick<Message, 'reason' | 'reasonCode'>): string {
  const known =
    own(reasons, reasonCode ?? '') ?? ownReasons.find(([pattern]) => pattern.test(reason ?? ''))?.[1];
  const theirs = [reason && `“${reason}”`, reasonCode && `code ${reasonCode}`].filter(Boolean).join(', ');
  return [known, theirs].filter(Boolean).join(': ');
}

export function receiptState(name: string): Html {
  if (name === 'Delivered') return state('good', 'check', 'Acknowledged');
  if (name === 'Exhausted') return state('bad', 'cross', 'Given up');
  return name === 'Waiting' ? state('fair', 'clock', 'Waiting') : state('', 'question', name);
}

const errors: Readonly<Record<string, string>> = {
  'connection refused': 'Nothing listens there',
  timeout: 'No response in 10 seconds',
  dns: 'Host name unknown',
  tls: 'Certificate is not valid',
  'address not allowed': 'Private address',
};

/** What came of an attempt to post a receipt. */
export function attemptWords({ status, error }: Attempt): string {
  if (status === undefined) return own(errors, error ?? '') ?? error ?? 'No response';
  if (status < 300) return 'Acknowledged';
  if (status < 400) return 'Redirects are not followed';
  if (status === 401 || status === 403) return 'The endpoint refuses us: check how it verifies';
  if (status === 410) return 'The endpoint asked us to stop';
  return status >= 500 ? 'The endpoint failed' : 'The endpoint refused it';
}
