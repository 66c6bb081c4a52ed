/** The lives of an SMS. */
import type { Boundary } from '../choke/boundaries.ts';
import { state } from '../choke/database.ts';
import { leap } from '../time/virtual-time.ts';
import type { World } from '../world/world.ts';
import type { Life, Struck } from './life.ts';
import { delivered, number, otherPhone, phone, replay, sendSms } from './requests.ts';
import { queueFull, refusedNumber, reported, usual } from './script.ts';

const longText = 'Habari yako. '.repeat(28);
const validitySeconds = 30;
/** Longer than a network may say nothing, also by a clock that was set back. */
const silenceMs = 74 * 3_600_000;
/** By then the attempts of the schedule that the service runs with here are exhausted. */
const mendedAfterMs = 80_000;
const replayEveryMs = 20_000;

/** At least once: a part is submitted again if we do not come to store that it was. */
export function mostSms(_what: string, struck: readonly Struck[]): number {
  return 1 + struck.filter((one) => isWindow(one) || isStopInWindow(one, /^smsc → submit_sm/)).length;
}

/** Whether a process stopped that had sent something and not stored yet what came of it. */
export function isStopInWindow({ fault, earlier }: Struck, sending: RegExp): boolean {
  return /^(dies|stands still|another)/.test(fault) && isUnstored(earlier, sending);
}

/** Whether something had been sent, and not stored what came of it. */
export function isUnstored(earlier: readonly Boundary[], sending: RegExp): boolean {
  const sent = earlier.findLastIndex(({ key }) => sending.test(key));
  return sent >= 0 && !isStored(earlier.slice(sent));
}

function isStored(since: readonly Boundary[]): boolean {
  if (since.some(({ kind, key }) => kind === 'statement' && key.startsWith('with part as ('))) return true;
  const completed = since.findIndex(({ key }) => key.startsWith('delete from jobs using'));
  return completed >= 0 && since.slice(completed).some(({ kind }) => kind === 'commit');
}

/** From the submission to the end of the statement that stores it. */
function isWindow({ boundary: { kind, key }, fault }: Struck): boolean {
  // A process that stops between the last look at its lease and the socket cannot know that it is over.
  if (key.startsWith('smsc → submit_sm'))
    return / after$/.test(fault) || fault === 'another takes over before';
  if (key.startsWith('smsc ← submit_sm_resp')) return !/^clock/.test(fault);
  if (kind === 'statement' && key.startsWith('with part as (')) return !/^clock/.test(fault);
  // It is over before the submission can be stored.
  return fault === 'read-only for a while';
}

function isRecording({ boundary: { kind }, fault }: Struck): boolean {
  return (kind === 'inside' || kind === 'commit') && !/^clock/.test(fault);
}

const life = (name: string, more: Partial<Life> = {}): Life => ({
  name,
  script: usual,
  begin: sendSms('Habari'),
  endings: [delivered],
  sent: [`sms ${number}`],
  most: mostSms,
  ...more,
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** As a client that mends its receiver, and looks now and then whether it has missed something. */
async function replayMissed(world: World): Promise<void> {
  const { networks } = world;
  await pause(mendedAfterMs);
  networks.receiverWorks = true;
  while (!networks.posted.some(({ answered }) => answered < 300)) {
    await replay(world);
    await pause(replayEveryMs);
  }
}

/** Before, it would wait in the queue and expire. */
function leapOnceSubmitted(world: World): void {
  world.later(5_000, async () => {
    const { knex } = world.data.database;
    const [message] = await knex('messages').select('state');
    // The embedded database has one session: while it may only be read, that holds for the test too.
    if (message?.state === 'Queued' || state.readOnly) return leapOnceSubmitted(world);
    leap(silenceMs);
    // As the service has done every few seconds meanwhile: it knows then when the clock is set back.
    await knex.raw('update clock_readings set latest = greatest(latest, service_now())');
  });
}

export const smsLives: Life[] = [
  life('sms'),
  life('sms to a process that starts', {
    begin: async (world) => {
      world.restart();
      await sendSms('Habari')(world);
    },
    // What a process owned that was killed is free half a minute later.
    seconds: 60,
  }),
  life('sms of three parts', {
    begin: sendSms(longText),
    sent: [1, 2, 3].map((part) => `sms ${number} part ${part}`),
  }),
  life('sms that its network refuses', {
    script: { ...usual, sms: () => ({ status: refusedNumber }) },
    endings: [{ ...delivered, state: 'InvalidMsisdn', receipt: 'InvalidMsisdn', refunded: true }],
    // A refusal is not stored before the transaction that ends the message: nothing was delivered.
    most: (what, plans) => (plans.some(isRecording) ? 2 : mostSms(what, plans)),
  }),
  life('sms that its network takes at the second try', {
    script: { ...usual, sms: ({ got }) => (got.length === 1 ? { status: queueFull } : reported) },
    most: (what, plans) => mostSms(what, plans) + 1,
  }),
  life('sms that waits until it expires', {
    prepare: async ({ data: { database, demo } }) => {
      await database.knex('connectors').where({ name: 'smsc' }).update({ paused: true });
      await database
        .knex('services')
        .where({ id: demo.smsServiceId })
        .update({ validity_seconds: validitySeconds });
    },
    endings: [{ ...delivered, state: 'Expired', receipt: 'Expired', refunded: true }],
    sent: [],
    seconds: validitySeconds + 20,
  }),
  life('sms whose network is silent', {
    script: { ...usual, sms: () => ({ status: 0 }) },
    begin: async (world) => {
      world.networks.onSending(() => leapOnceSubmitted(world));
      await sendSms('Habari')(world);
    },
    endings: [{ ...delivered, state: 'DeliveryUncertain', receipt: 'DeliveryUncertain' }],
    seconds: 90,
  }),
  life('sms whose receipt is taken at the second try', {
    script: { ...usual, receipt: ({ posted }) => (posted.length === 0 ? 500 : 204) },
  }),
  life('sms whose endpoint has just responded', {
    begin: async (world) => {
      await sendSms('Habari', [otherPhone])(world);
      const { posted } = world.networks;
      while (!posted.some(({ answered }) => answered < 300)) await pause(1_000);
      // By then nothing waits to be claimed: the next receipt is leased as it is created.
      await pause(1_000);
      await sendSms('Habari')(world);
    },
    endings: [{ ...delivered, phone: otherPhone }, delivered],
    sent: [otherPhone.slice(1), number].map((to) => `sms ${to}`),
    seconds: 40,
  }),
  life('sms whose receipt is posted again for the client', {
    script: { ...usual, receipt: ({ receiverWorks }) => (receiverWorks ? 204 : 500) },
    begin: async (world) => {
      await sendSms('Habari')(world);
      await replayMissed(world);
    },
    seconds: 160,
  }),
];

export const twoSms: Life = life('two sms', {
  begin: sendSms('Habari', [phone, otherPhone]),
  endings: [delivered, { ...delivered, phone: otherPhone }],
  sent: [number, otherPhone.slice(1)].map((to) => `sms ${to}`),
});
