/** The lives of messages that are sent later, and of those that are cancelled before. */
import { state } from '../choke/database.ts';
import type { World } from '../world/world.ts';
import type { Life } from './life.ts';
import { bundleRequest, delivered, number, phone, sendSms, smsRequest } from './requests.ts';
import { usual } from './script.ts';
import { mostSms } from './sms.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const aheadMs = 1.5 * minuteMs;

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

async function cancel({ client }: World, requestId: string, messages: number): Promise<void> {
  const { status, body } = await client.post(`/requests/${requestId}/cancel`);
  const { cancelled, late } = JSON.parse(body);
  if (status !== 200 || cancelled !== messages || late !== 0) throw new Error(`${status} ${body}`);
}

const cancelled = { ...delivered, state: 'Cancelled', receipt: 'Cancelled', refunded: true };

/** The phone opts out, or a client adds it. */
async function optOut({ client, data: { demo } }: World): Promise<void> {
  const entry = { phones: [phone], product: 'Sms', serviceId: demo.smsServiceId, target: 'ALL' };
  const { status, body } = await client.post('/opt-outs', entry);
  if (status !== 200) throw new Error(`${status} ${body}`);
}

/** The embedded database has one session: while it may only be read, that holds for the test too. */
function resume(world: World): void {
  world.later(2_000, async () => {
    if (state.readOnly) return resume(world);
    await world.data.database.knex('connectors').where({ name: 'smsc' }).update({ paused: false });
  });
}

const optedOut = { ...delivered, state: 'SubscriberOptedOut', receipt: 'SubscriberOptedOut', refunded: true };
const ended = { script: usual, endings: [optedOut], sent: [], most: () => 0 };

export const laterLives: Life[] = [
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
    prepare: ({ data: { database } }) =>
      database.knex('connectors').where({ name: 'smsc' }).update({ paused: true }),
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
    prepare: ({ data: { database } }) =>
      database.knex('connectors').where({ name: 'smsc' }).update({ paused: true }),
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
