/** The lives of a bundle, of the SMS that waits for it, and of a chat-app message. */
import type { Ending, Life, Struck } from './life.ts';
import {
  delivered,
  number,
  otherPhone,
  phone,
  sendBundle,
  sendBundles,
  sendBundleWithSms,
  sendChat,
  sendSms,
} from './requests.ts';
import { provider, usual } from './script.ts';
import { isStopInWindow, mostSms } from './sms.ts';

const bundle: Ending = { ...delivered, product: 'data' };
export const chat: Ending = { ...delivered, product: 'chatapp', state: 'Read', receipt: 'Read' };
const refused: Ending = { ...bundle, state: 'InvalidMsisdn', receipt: 'InvalidMsisdn', refunded: true };
const refusal = { status: 'REJECTED', reason: { code: 'INVALID_MSISDN' } };

/** Given once; only a process that stops with the request in its hand cannot know that another has sent it. */
export function mostBundles(_what: string, struck: readonly Struck[]): number {
  const takesOver = struck.some(({ fault }) => fault.startsWith('another takes over'));
  return takesOver && struck.some(isHeld) ? 2 : 1;
}

function isHeld({ boundary, fault, earlier }: Struck): boolean {
  if (!/^(another takes over|stands still)/.test(fault)) return false;
  if (/^provider → POST/.test(boundary.key)) return fault.endsWith('before');
  const last = earlier.findLast(({ key }) => /^(with renewed as|provider → POST)/.test(key));
  return last?.key.startsWith('with renewed as') ?? false;
}

export function mostOfAny(what: string, struck: readonly Struck[]): number {
  if (what.startsWith('sms')) return mostSms(what, struck);
  return (what.startsWith('chat') ? mostChats : mostBundles)(what, struck);
}

/** What may have arrived is sent again if no status says that it has. */
function mostChats(_what: string, struck: readonly Struck[]): number {
  const inDoubt = (one: Struck) => /^meta/.test(one.boundary.key) || isStopInWindow(one, /^meta → POST/);
  return struck.some(inDoubt) ? 2 : 1;
}

export const bundleLives: Life[] = [
  {
    name: 'bundle whose provider is asked',
    script: usual,
    begin: sendBundle,
    endings: [bundle],
    sent: [`bundle ${number}`],
    most: mostBundles,
    // The first query, and another if it fails.
    seconds: 130,
  },
  {
    name: 'bundle whose provider reports',
    script: { ...usual, bundle: provider({ status: 'PENDING', later: 'SUCCESSFUL', calls: true }) },
    begin: sendBundle,
    endings: [bundle],
    sent: [`bundle ${number}`],
    most: mostBundles,
  },
  {
    name: 'bundle that its provider refuses',
    script: { ...usual, bundle: provider(refusal) },
    begin: sendBundle,
    endings: [refused],
    sent: [`bundle ${number}`],
    most: mostBundles,
  },
  {
    name: 'bundle with an sms',
    script: { ...usual, bundle: provider({ status: 'SUCCESSFUL' }) },
    begin: sendBundleWithSms,
    endings: [bundle, delivered],
    sent: [`bundle ${number}`, `sms ${number}`],
    most: mostOfAny,
  },
  {
    name: 'bundle with an sms that its provider refuses',
    script: { ...usual, bundle: provider(refusal) },
    begin: sendBundleWithSms,
    endings: [refused, { ...delivered, state: 'Cancelled', receipt: undefined, refunded: true }],
    sent: [`bundle ${number}`],
    most: mostOfAny,
  },
];

/** Of two requests for one phone, in a campaign that gives a phone one bundle. */
export const limitedLives: Life[] = [
  {
    name: 'two bundles of a campaign that gives one',
    script: { ...usual, bundle: provider({ status: 'PENDING', later: 'SUCCESSFUL', calls: true }) },
    begin: async (world) => {
      const { oneTime } = world.data.demo.campaigns;
      for (let count = 0; count < 2; count += 1) await sendBundles(world, [phone], oneTime);
    },
    endings: [bundle, { ...bundle, state: 'Duplicated', receipt: 'Duplicated', refunded: true }],
    sent: [`bundle ${number}`],
    most: mostBundles,
    seconds: 130,
  },
];

export const chatLives: Life[] = [
  {
    name: 'chat-app message',
    script: usual,
    begin: sendChat,
    endings: [chat],
    sent: [`chat ${number}`],
    most: mostChats,
  },
];

export const twoBundles: Life = {
  name: 'two bundles',
  script: { ...usual, bundle: provider({ status: 'PENDING', later: 'SUCCESSFUL', calls: true }) },
  begin: (world) => sendBundles(world, [phone, otherPhone]),
  endings: [bundle, { ...bundle, phone: otherPhone }],
  sent: [number, otherPhone.slice(1)].map((to) => `bundle ${to}`),
  most: mostBundles,
  seconds: 130,
};

/** What one statement stores of both is of different kinds. */
export const mixedPairs: Life[] = [
  {
    name: 'an sms and a bundle',
    script: { ...usual, bundle: provider({ status: 'PENDING', later: 'SUCCESSFUL', calls: true }) },
    begin: async (world) => {
      await Promise.all([sendSms('Habari')(world), sendBundle(world)]);
    },
    endings: [delivered, bundle],
    sent: [`sms ${number}`, `bundle ${number}`],
    most: mostOfAny,
    seconds: 130,
  },
  {
    name: 'a chat-app message and an sms',
    script: usual,
    begin: async (world) => {
      await Promise.all([sendChat(world), sendSms('Habari')(world)]);
    },
    endings: [chat, delivered],
    sent: [`chat ${number}`, `sms ${number}`],
    most: mostOfAny,
  },
];
