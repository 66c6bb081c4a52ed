/** Every sentence about messages, receipts and endpoints, for all that can occur, as one page that a person reads. */
import { productNames, products } from '../products.ts';
import { allStates, type MessageState, statesUnderWay } from '../states.ts';
import { connectorWords } from './connectors.ts';
import {
  conditionOfEndpoint,
  conditionOfReceipt,
  endpointWords,
  type ReceiptCondition,
  type ReceiptWords,
  receiptWords,
  type ToldEndpoint,
  type ToldReceipt,
} from './receipts.ts';
import { reasonOf, wordsOf } from './states.ts';
import { events, wordsOfStep } from './steps.ts';
import { ownCodes, ownReasons, type Told, tellerOf } from './told.ts';

type Case = Told & { timeline: { event: string }[] };

const submitted = [{ event: 'Accepted' }, { event: 'Submitted' }, { event: 'Reported' }];
const refused = [{ event: 'Accepted' }, { event: 'Reported' }];

type Said = Pick<Told, 'reason' | 'reasonCode'>;

/** What networks say with a state when they refuse a message, and when they report on one that they accepted. */
const said: Readonly<Record<string, { refused?: Said[]; reported?: Said[] }>> = {
  'sms DeliveryImpossible': { reported: [{ reason: 'The network could not deliver the message' }] },
  'sms SenderBlacklisted': {
    reported: [{}, { reason: 'The network rejected the message', reasonCode: '003' }],
  },
  'sms SubscriberOptedOut': { reported: [{ reason: 'The network rejected the message', reasonCode: '004' }] },
  'sms AbsentSubscriber': { reported: [{ reason: 'The phone was not reached in time' }] },
  'sms InvalidMsisdn': {
    refused: [{ reason: 'The network refused the number', reasonCode: '0x0000000B' }],
    reported: [{ reason: 'The network rejected the message', reasonCode: '011' }],
  },
  'sms Failed': {
    refused: [
      { reason: 'The network refused the sender', reasonCode: '0x0000000A' },
      { reason: 'The network rejected the message', reasonCode: '0x00000066' },
    ],
    reported: [{}, { reason: 'The network deleted the message', reasonCode: '017' }],
  },
  'sms DeliveryUncertain': { reported: [{ reason: 'The network does not know what became of the message' }] },
  'data Failed': {
    refused: [
      { reason: 'Float is empty', reasonCode: 'INSUFFICIENT_FLOAT' },
      { reason: 'The provider refused the bundle', reasonCode: 'HTTP 400' },
    ],
    reported: [{ reason: 'The provider took the bundle back' }],
  },
  'data InvalidMsisdn': {
    refused: [{ reason: 'Subscriber not found', reasonCode: 'INVALID_MSISDN' }],
    reported: [{ reason: 'Subscriber of another operator', reasonCode: 'WRONG_NETWORK' }],
  },
  'data InvalidDenomination': {
    refused: [{ reason: 'No such product', reasonCode: 'PRODUCT_UNAVAILABLE' }],
  },
  'data Duplicated': {
    refused: [
      { reason: 'Recharged less than an hour ago', reasonCode: 'RECENTLY_RECHARGED' },
      { reason: 'The provider had this reference before', reasonCode: 'HTTP 409' },
    ],
  },
  'data Uncertain': { reported: [{}] },
  'chatapp SubscriberOptedOut': {
    refused: [{ reason: 'Marketing messages stopped', reasonCode: '131050' }],
    reported: [{ reason: 'Marketing messages stopped', reasonCode: '131050' }],
  },
  'chatapp Failed': {
    refused: [
      { reason: 'Re-engagement message', reasonCode: '131047' },
      { reason: 'Invalid parameter', reasonCode: '100' },
    ],
    reported: [{}, { reason: 'Message undeliverable', reasonCode: '131026' }],
  },
  'chatapp Uncertain': { reported: [{}] },
};

/** What `state` can come with. */
export function casesOf(product: (typeof productNames)[number], state: MessageState): Case[] {
  const { name, steps, finalStates, goodStates } = products[product] as {
    name: string;
    steps: readonly string[];
    finalStates: readonly string[];
    goodStates: readonly string[];
  };
  const channel = product === 'chatapp' ? {} : { channel: 'Safaricom' };
  const made = (timeline: Case['timeline'], more: Said = {}): Case => ({
    product: name,
    state,
    timeline,
    ...channel,
    ...more,
  });
  if (state === 'Held') return product === 'sms' ? [made([{ event: 'Accepted' }])] : [];
  if (state === 'Scheduled' && product === 'sms')
    return [undefined, 'its chat-app message'].map((fallbackOf) => ({
      ...made([{ event: 'Accepted' }, { event: 'Scheduled' }]),
      fallbackOf,
    }));
  if (state === 'Scheduled' || state === 'Queued' || state === 'Sending')
    return steps.includes(state) ? [made([{ event: 'Accepted' }])] : [];
  if (state === 'Submitted') return [made(submitted.slice(0, 2))];
  if (steps.includes(state) || goodStates.includes(state)) return [made(submitted)];
  if (!finalStates.includes(state)) return [];
  if (state === 'Expired') return [made(refused, { reason: ownReasons.expired })];
  if (state === 'Cancelled')
    return [
      made([{ event: 'Accepted' }, { event: 'Cancelled' }]),
      ...(product === 'sms'
        ? [
            { reason: ownReasons.bundleNotDelivered, reasonCode: ownCodes.bundleNotDelivered },
            { reason: ownReasons.chatAppDelivered, reasonCode: ownCodes.fallbackNotNeeded },
            { reason: ownReasons.chatAppUnwanted, reasonCode: ownCodes.fallbackNotNeeded },
          ].map((one) => made([{ event: 'Accepted' }, { event: 'Cancelled' }], one))
        : []),
    ];
  const ours: Partial<Record<MessageState, Said[]>> = {
    SubscriberOptedOut: [{ reason: ownReasons.optedOut, reasonCode: ownCodes.optedOut }],
    Duplicated: [{ reason: ownReasons.hadBundle }],
    InvalidDenomination: [{ reason: ownReasons.unknownBundle }],
    Failed:
      product === 'sms'
        ? [
            { reason: ownReasons.tooOften, reasonCode: '0x00000008' },
            { reason: 'the sender is longer than 20 octets' },
          ]
        : [],
  };
  const { refused: whenRefused = [], reported = [] } = said[`${product} ${state}`] ?? {};
  return [
    ...whenRefused.map((one) => made(refused, one)),
    ...reported.map((one) => made(submitted, one)),
    ...(ours[state] ?? []).map((one) => made(refused, one)),
    ...(state === products[product].stateOfSilence ? [made(submitted, { reason: ownReasons.silence })] : []),
  ];
}

const until = '14:42:58';
const at = '2026-11-24T14:41:13.000Z';
const later = '2026-11-24T14:42:58.000Z';
const now = Date.parse('2026-11-24T14:42:00.000Z');
const attempts = [{ at, status: 503 }];

const receipts: { readonly [C in ReceiptCondition]: ToldReceipt[] } = {
  acknowledged: [{ state: 'Delivered', attempts: [{ at, status: 204 }] }],
  stopped: [{ state: 'Exhausted', attempts: [{ at, status: 410 }] }],
  givenUp: [{ state: 'Exhausted', attempts }],
  parked: [
    { state: 'Waiting', attempts: [], nextAttemptAt: later, parkedUntil: later },
    { state: 'Waiting', attempts, nextAttemptAt: later, parkedUntil: later },
  ],
  later: [{ state: 'Waiting', attempts, nextAttemptAt: later }],
  due: [
    { state: 'Waiting', attempts: [] },
    { state: 'Waiting', attempts, nextAttemptAt: at },
  ],
  unknown: [{ state: 'Postponed', attempts }],
};

const endpoints: ToldEndpoint[] = [
  { failures: 0, exhausted: 0, waiting: 0 },
  { failures: 0, exhausted: 11, waiting: 0 },
  { failures: 1, exhausted: 0, waiting: 1 },
  { failures: 8, exhausted: 0, waiting: 40 },
  { failures: 111, exhausted: 0, waiting: 346, parkedUntil: later },
];

export function everySentence(): string {
  const lines: string[] = [];
  for (const product of productNames)
    for (const state of allStates)
      for (const told of casesOf(product, state)) {
        const { word, heading, sentence, next } = wordsOf(told);
        const { said, means } = reasonOf(told);
        const event = told.timeline.at(-1)?.event ?? '';
        const step = wordsOfStep(
          { ...told, event, connector: 'main' },
          { ...told, clientId: 'shop', units: 1, segments: 1 },
        );
        const how = told.timeline.some((one) => one.event === 'Submitted')
          ? 'accepted before'
          : 'not accepted';
        lines.push(
          `${product} · ${state}${(statesUnderWay as readonly string[]).includes(state) ? '' : ` · said by ${tellerOf(told)} · ${how}`}${told.reason === undefined ? '' : ` · ${told.reason}`}${told.reasonCode === undefined ? '' : ` (${told.reasonCode})`}`,
          `  [${word}] ${heading}. ${sentence}`,
          ...(said === undefined ? [] : [`  Why: ${means === undefined ? said : `${means} (${said})`}.`]),
          ...(next === undefined ? [] : [`  Next: ${next}`]),
          `  Step: ${step.what}${step.why === undefined ? '' : ` | ${step.why}`}`,
          '',
        );
      }
  lines.push('Steps', '');
  const details = { mccMnc: '63902' };
  for (const event of events) {
    const { what, why } = wordsOfStep(
      event === 'Reported' ? { event, state: 'Delivered', details } : { event, connector: 'main' },
      {
        ...{ product: 'Sms', state: 'Queued', channel: 'Safaricom', clientId: 'shop' },
        ...{ units: 2, segments: 2, timeline: submitted },
      },
    );
    lines.push(`${event}: ${what}${why === undefined ? '' : ` | ${why}`}`);
  }
  lines.push('', 'Receipts', '');
  for (const told of Object.values(receipts))
    for (const receipt of told) {
      const condition = conditionOfReceipt(receipt, now);
      const words = receiptWords[condition as keyof typeof receiptWords] as ReceiptWords | undefined;
      lines.push(
        `${receipt.state}, ${receipt.attempts.length} attempts: ${
          words === undefined
            ? receipt.state
            : `[${words.word}] ${words.sentence(until)}${words.next === undefined ? '' : ` Next: ${words.next}`}`
        }`,
      );
    }
  lines.push('', 'Endpoints', '');
  for (const endpoint of endpoints) {
    const { word, does, sentence } = endpointWords[conditionOfEndpoint(endpoint)];
    lines.push(
      `${endpoint.failures} failures, ${endpoint.exhausted} given up: [${word}] ${sentence(endpoint)} | https://shop.example ${does}`,
    );
  }
  lines.push('', 'Connectors', '');
  for (const [condition, { word, does, heading, next }] of Object.entries(connectorWords))
    lines.push(
      `${condition}: [${word}] ${heading}.${next === undefined ? '' : ` Next: ${next}`} | main ${does}`,
    );
  return `${lines.join('\n')}\n`;
}
