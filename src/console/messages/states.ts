/** How states of messages, receipts and endpoints look; what they mean stands in model/words. */
import type { components } from '../../../generated/management.d.ts';
import type { Content, Html } from '../../docs/render/html.ts';
import { type MessageState, statesUnderWay } from '../../model/states.ts';
import {
  conditionOfEndpoint,
  conditionOfReceipt,
  type EndpointCondition,
  endpointWords,
  type ReceiptCondition,
  receiptWords,
} from '../../model/words/receipts.ts';
import { wordOfState } from '../../model/words/states.ts';
import { own } from '../../platform/text/own.ts';
import { type Look, state } from '../layout/parts.ts';
import type { PageContext } from '../page.ts';

type Schemas = components['schemas'];
export type Message = Schemas['Message'];
export type Receipt = Schemas['Receipt'];
export type Attempt = Receipt['attempts'][number];
export type Endpoint = Schemas['Endpoint'];

const unknown: Look = ['', 'question'];

const looks: { readonly [State in MessageState]: Look } = {
  Scheduled: ['moving', 'clock'],
  Held: ['moving', 'clock'],
  Queued: ['moving', 'clock'],
  Sending: ['moving', 'right'],
  Submitted: ['moving', 'right'],
  Sent: ['moving', 'right'],
  Delivered: ['good', 'check'],
  Read: ['good', 'check'],
  DeliveryUncertain: ['fair', 'question'],
  Uncertain: ['fair', 'question'],
  DeliveryImpossible: ['bad', 'cross'],
  SenderBlacklisted: ['bad', 'stop'],
  SubscriberOptedOut: ['', 'stop'],
  AbsentSubscriber: ['bad', 'cross'],
  InvalidMsisdn: ['bad', 'cross'],
  InvalidDenomination: ['bad', 'cross'],
  Duplicated: ['fair', 'stop'],
  Failed: ['bad', 'cross'],
  Expired: ['bad', 'clock'],
  Cancelled: ['', 'stop'],
};

export const lookOf = (name: string): Look => own(looks, name as MessageState) ?? unknown;

export const stateOf = (name: string): Html => state(...lookOf(name), wordOfState(name));

/** Whether nothing more happens to it by itself. */
export const isSettled = (name: string) => !(statesUnderWay as readonly string[]).includes(name);

const receiptLooks: { readonly [C in ReceiptCondition]: Look } = {
  acknowledged: ['good', 'check'],
  stopped: ['bad', 'cross'],
  givenUp: ['bad', 'cross'],
  parked: ['fair', 'stop'],
  later: ['fair', 'clock'],
  due: ['moving', 'clock'],
  unknown,
};

export function receiptState(receipt: Receipt, { now }: Pick<PageContext, 'now'>): Html {
  const condition = conditionOfReceipt(receipt, now);
  return state(
    ...receiptLooks[condition],
    condition === 'unknown' ? receipt.state : receiptWords[condition].word,
  );
}

/** What becomes of it, with its time as the reader sees it, and what to do. */
export function receiptStory(
  receipt: Receipt,
  { now, times }: Pick<PageContext, 'now' | 'times'>,
): { look: Look; sentence: string; next: string | undefined; condition: ReceiptCondition } {
  const condition = conditionOfReceipt(receipt, now);
  const look = receiptLooks[condition];
  if (condition === 'unknown') return { look, condition, sentence: receipt.state, next: undefined };
  const { sentence, next } = receiptWords[condition];
  const until = receipt.parkedUntil ?? receipt.nextAttemptAt;
  const clock = until === undefined ? '' : times.clock(until);
  return { look, condition, sentence: sentence(clock), next };
}

const endpointLooks: { readonly [C in EndpointCondition]: Look } = {
  parked: ['bad', 'stop'],
  failing: ['bad', 'cross'],
  gaveUp: ['bad', 'cross'],
  works: ['good', 'check'],
};

export function endpointState(endpoint: Endpoint, { times }: Pick<PageContext, 'times'>): Html {
  const condition = conditionOfEndpoint(endpoint);
  const { word } = endpointWords[condition];
  const until = endpoint.parkedUntil;
  return state(
    ...endpointLooks[condition],
    until === undefined ? word : `${word} until ${times.clock(until)}`,
  );
}

export const endpointSentence = (endpoint: Endpoint): Content =>
  endpointWords[conditionOfEndpoint(endpoint)].sentence(endpoint);
