/** The lives of messages that are sent later, and of those that are cancelled before. */
import { state } from '../choke/database.ts';
import { leap } from '../time/virtual-time.ts';
import type { World } from '../world/world.ts';
import type { Life } from './life.ts';
import { bundleRequest, delivered, number, phone, sendOffer, sendSms, smsRequest } from './requests.ts';
import { usual } from './script.ts';
import { mostSms } from './sms.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const aheadMs = 1.5 * minuteMs;
const resumeMs = 2_000;

/** Of quiet hours in Kenya. */
const [openingUtc, closingUtc] = ['05:00:00', '15:00:00'];
const beforeOpeningMs = 1.5 * minuteMs;

/** Until it is this time of day. */
function untilMs(time: string): number {
  const today = new Date().toISOString().slice(0, 11);
  return ((Date.parse(`${today}${time}Z`) - Date.now() + dayMs - beforeOpeningMs) % dayMs) + beforeOpeningMs;
}

const pauseConnector = ({ data: { database } }: World) =>
  database.knex('connectors').where({ name: 'smsc' }).update({ paused: true });

/** If the clock steps before the request arrives, the time may be too early: another is chosen. */
async function sendLater(
  { client }: World,
  { path, body }: ReturnType<typeof smsRequest>,
  ms: number,
): Promise<string> {
  for (;;) {
    const sendAt = new Date(Date.now() + ms).toISOString();
    const response = await client.post(path, { ...body, schedule: { sendAt } });
    if (response.status === 200) {
      const { requestId, result = { requestId } } = JSON.parse(response.body);
      return result.requestId;
    }
    if (!response.body.includes('/schedule/sendAt')) throw new Error(`${response.status} ${response.body}`);
  }
}

async function askToCancel(
  { client }: World,
  requestId: string,
): Promise<{ cancelled: number; late: number }> {
  const { status, body } = await client.post(`/requests/${requestId}/cancel`);
  // Nothing is left: it was sent while nobody listened.
  if (status === 409) return { cancelled: 0, late: 1 };
  if (status !== 200) throw new Error(`${status} ${body}`);
  return JSON.parse(body);
}

export async function cancel(world: World, requestId: string, messages: number): Promise<void> {
  const { cancelled, late } = await askToCancel(world, requestId);
  if (cancelled !== messages || late !== 0) throw new Error(`${cancelled} cancelled, ${late} too late`);
}

export const cancelled = { ...delivered, state: 'Cancelled', receipt: 'Cancelled', refunded: true };

/** The phone opts out, or a client adds it. */
async function optOut({ client, data: { demo } }: World): Promise<void> {
  const entry = { phones: [phone], product: 'Sms', serviceId: demo.smsServiceId, target: 'ALL' };
  const { status, body } = await client.post('/opt-outs', entry);
  if (status !== 200) throw new Error(`${status} ${body}`);
}

/** The embedded database has one session: while it may only be read, that holds for the test too. */
function resume(world: World): void {
  world.later(resumeMs, async () => {
    if (state.readOnly) return resume(world);
    await world.data.database.knex('connectors').where({ name: 'smsc' }).update({ paused: false });
  });
}

const optedOut = { ...delivered, state: 'SubscriberOptedOut', receipt: 'SubscriberOptedOut', refunded: true };
const ended = { script: usual, endings: [optedOut], sent: [], most: () => 0 };

/** The connector takes messages again in the moment in which one is cancelled. */
function cancelThatMeetsAClaim(): Life {
  let wasLate = false;
  return {
    name: 'cancel that meets a claim',
    script: usual,
    together: true,
    prepare: pauseConnector,
    begin: async (world) => {
      const { path, body } = smsRequest(world, 'Habari');
      const response = await world.client.post(path, body);
      const { requestId } = JSON.parse(response.body).result;
      resume(world);
      await new Promise((resolve) => setTimeout(resolve, resumeMs));
      const { cancelled, late } = await askToCancel(world, requestId);
      if (cancelled + late !== 1) throw new Error(`${cancelled} cancelled, ${late} too late`);
      wasLate = late === 1;
    },
    endings: [{ ...delivered }],
    sent: [`sms ${number}`],
    otherwise: { endings: [cancelled], sent: [] },
    most: mostSms,
    check: async ({ networks }) =>
      wasLate === networks.got.length > 0 ? [] : [`the cancel was ${wasLate ? 'late' : 'in time'}`],
    // The cancellation has looked at the job, and has not changed it yet.
    always: /^inside .* with recursive place as .* × (stands still|another takes over) after$/,
    seconds: 60,
  };
}

export const laterLives: Life[] = [
  cancelThatMeetsAClaim(),
  {
    name: 'offer that waits for its window',
    script: usual,
    prepare: async ({ data: { database } }) => {
      leap(untilMs(openingUtc) - beforeOpeningMs);
      await database.knex('quiet_hours').where({ country: 'KE' }).update({ enabled: true });
    },
    begin: sendOffer,
    endings: [delivered],
    sent: [`sms ${number}`],
    most: mostSms,
    check: async ({ networks: { got } }, struck) => {
      // One that is set back in between says afterwards that it was too early.
      if (struck.some(({ fault }) => fault === 'clock -1 h')) return [];
      return got
        .map(({ atMs }) => new Date(atMs).toISOString().slice(11, 19))
        .filter((time) => time < openingUtc || time >= closingUtc)
        .map((time) => `an offer was sent at ${time}, in quiet hours`);
    },
    seconds: beforeOpeningMs / 1_000 + 30,
    secondsIfSetBack: hourMs / 1_000,
  },
  {
    ...ended,
    name: 'sms to somebody who opted out',
    begin: async (world) => {
      await optOut(world);
      await sendSms('Habari')(world);
    },
  },
  {
    ...ended,
    name: 'scheduled sms to somebody who had opted out',
    begin: async (world) => {
      await optOut(world);
      await sendLater(world, smsRequest(world, 'Habari'), 10 * dayMs);
    },
  },
  {
    ...ended,
    name: 'scheduled sms to somebody who opts out before its time',
    begin: async (world) => {
      await sendLater(world, smsRequest(world, 'Habari'), aheadMs);
      await optOut(world);
    },
    seconds: aheadMs / 1_000 + 30,
    secondsIfSetBack: hourMs / 1_000,
  },
  {
    ...ended,
    name: 'sms to somebody who opts out while it waits for its connector',
    prepare: pauseConnector,
    begin: async (world) => {
      await sendSms('Habari')(world);
      await optOut(world);
      resume(world);
    },
    seconds: 60,
  },
  {
    name: 'scheduled sms',
    script: usual,
    begin: async (world) => {
      await sendLater(world, smsRequest(world, 'Habari'), aheadMs);
    },
    endings: [delivered],
    sent: [`sms ${number}`],
    most: mostSms,
    seconds: aheadMs / 1_000 + 30,
    // Its time is a time of day, and comes that much later.
    secondsIfSetBack: hourMs / 1_000,
  },
  {
    name: 'scheduled sms that is cancelled',
    script: usual,
    begin: async (world) => {
      await cancel(world, await sendLater(world, smsRequest(world, 'Habari'), 10 * dayMs), 1);
    },
    endings: [cancelled],
    sent: [],
    most: () => 0,
  },
  {
    name: 'scheduled bundle and its sms that are cancelled',
    script: usual,
    begin: async (world) => {
      await cancel(world, await sendLater(world, bundleRequest(world), 10 * dayMs), 2);
    },
    endings: [{ ...cancelled, product: 'data' }, cancelled],
    sent: [],
    most: () => 0,
  },
  {
    name: 'sms that is cancelled while its connector is paused',
    script: usual,
    prepare: pauseConnector,
    begin: async (world) => {
      const { path, body } = smsRequest(world, 'Habari');
      const response = await world.client.post(path, body);
      await cancel(world, JSON.parse(response.body).result.requestId, 1);
    },
    endings: [{ ...cancelled, phone }],
    sent: [],
    most: () => 0,
  },
];
