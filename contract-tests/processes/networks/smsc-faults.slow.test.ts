/** An SMSC that fails in every way, and a service that is killed: no message is lost, none is counted twice. */
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { systemTimers } from '../../../src/connectors/smpp/session/timers.ts';
import { encodeCommand } from '../../../src/connectors/smpp/wire/pdu.ts';
import { createRandom } from '../../../src/partner/sandbox/random.ts';
import { listenAsSmsc, type Smsc, type SmscAnswer } from '../../../src/partner/sandbox/smsc/smsc.ts';
import { sized } from '../../../src/platform/sized-testing.ts';
import { addSafaricomConnector } from '../../support/prepared/connectors.ts';
import { type SmsService, startSms } from '../../support/requests/sms.ts';
import { metric } from '../../support/service/metrics.ts';
import {
  endLeases,
  rowsOf,
  topUp,
  unbalancedAccounts,
  withStoredData,
} from '../../support/service/stored-data.ts';

const kills = Number(process.env.SMPP_KILLS ?? sized(1, 3));
const disconnects = Number(process.env.SMPP_DISCONNECTS ?? sized(5, 20));
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
const random = createRandom(seed);
const window = 10;
const perRequest = 60;
const throttledMs = Number(process.env.SMPP_THROTTLED_SECONDS ?? sized(2, 5)) * 1_000;
const settleLimitMs = 180_000;

let smsc: Smsc;
let sms: SmsService;
const sockets = new Set<Socket>();
/** When the service bound, in milliseconds. */
let binds: number[] = [];
/** How often the SMSC took each text. */
let taken = new Map<string, number>();
let answer: (taken: number) => Promise<SmscAnswer>;
let onSubmit = () => {};
let sent = 0;
/** By the tests before. */
let sentBefore = 0;

const delivered: SmscAnswer = { status: 0, report: { state: 'DELIVRD', error: '000', afterMs: 0 } };

beforeAll(async () => {
  smsc = await listenAsSmsc({
    host: '127.0.0.1',
    port: 0,
    timers: systemTimers,
    logger: pino({ level: 'silent' }),
    admit: () => {
      binds.push(performance.now());
      return 0;
    },
    answer: async ({ text }) => {
      const name = text.toString('latin1');
      const answered = await answer(taken.size);
      if (answered.status === 0) taken.set(name, (taken.get(name) ?? 0) + 1);
      onSubmit();
      return answered;
    },
    onConnection: (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    },
  });
  const settings = {
    host: '127.0.0.1',
    port: smsc.port,
    systemId: 'tarishi',
    window,
    rate: 100_000,
    responseTimeoutSeconds: 10,
    enquireLinkSeconds: 5,
    enquireLinkDeadlineSeconds: 2,
  };
  sms = await startSms({ RATE_LIMIT_PER_SECOND: '1000000', LOG_LEVEL: 'error' }, async (prepared) => {
    await addSafaricomConnector(prepared, { name: 'smsc', kind: 'smpp', settings });
    await topUp(prepared.knex, prepared.demo.clientId, 1_000_000);
  });
}, 180_000);

afterAll(async () => {
  await sms?.service.dispose();
  await smsc?.close();
});

/** Texts that no other message has; the numbers are those of the channel on the SMSC. */
async function send(requests: number): Promise<void> {
  for (let request = 0; request < requests; request += 1) {
    const messages = Array.from({ length: 10 }, (_, index) => ({
      phone: `+2547110${String(10_000 + index)}`,
      message: `message ${sent + index}`,
    }));
    sent += messages.length;
    const { status } = await sms.send({ type: 'SendToEach', messages });
    expect(status).toBe(200);
  }
}

/** Until the SMSC has taken every text and nothing more comes of it. */
async function settle(): Promise<void> {
  const deadlineMs = performance.now() + settleLimitMs;
  while (taken.size < sent) {
    if (performance.now() > deadlineMs)
      throw new Error(`${taken.size} of ${sent} came\n${sms.service.output().slice(-3_000)}`);
    await delay(20);
  }
}

const duplicates = () => [...taken.values()].reduce((sum, times) => sum + times - 1, 0);

/** Everything was delivered, each message once, and nothing was refunded. */
async function expectAllDelivered(): Promise<void> {
  const deadlineMs = performance.now() + settleLimitMs;
  for (;;) {
    while ((await secondsQueued()) > 0) await delay(100);
    await sms.service.stop();
    const states = await withStoredData(sms.service, async (knex) => {
      expect(await unbalancedAccounts(knex)).toEqual([]);
      await knex.raw(`update network_reports set next_look_at = now()`);
      return rowsOf<{ state: string; count: number }>(
        knex,
        `select state, count(*)::integer as count from messages group by state`,
      );
    });
    await sms.service.restart();
    const wanted = [{ state: 'Delivered', count: sentBefore + sent }];
    if (states.length === 1 || performance.now() > deadlineMs) return expect(states).toEqual(wanted);
    await delay(500);
  }
}

/** How long the oldest message has waited for its network; 0 when none waits. */
async function secondsQueued(): Promise<number> {
  const seconds = await metric(sms.service.metricsUrl, 'tarishi_oldest_queued_seconds');
  expect(seconds).not.toBeNaN();
  return seconds;
}

const closes = (act: (socket: Socket) => void) => async (): Promise<SmscAnswer> => {
  for (const socket of sockets) act(socket);
  return silence;
};
const silence = new Promise<SmscAnswer>(() => {});
const unbind = encodeCommand('unbind', 0, 1, {});
const halfPdu = encodeCommand('enquire_link', 0, 1, {}).subarray(0, 9);

/** What an SMSC does at some message; `turn` counts the messages since. */
const faults: Record<string, (turn: number) => Promise<SmscAnswer>> = {
  'closes with 10 outstanding': (turn) => (turn < 9 ? silence : closes((socket) => socket.destroy())()),
  'resets the connection': closes((socket) => socket.resetAndDestroy()),
  'ends inside a PDU': closes((socket) => socket.end(halfPdu)),
  'sends garbage': closes((socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')),
  unbinds: closes((socket) => socket.write(unbind)),
};

const begin = () => {
  taken = new Map();
  binds = [];
  onSubmit = () => {};
  answer = async () => delivered;
  sentBefore += sent;
  sent = 0;
};

test(
  `SEED=${seed}: ${kills} kills while messages go out: at most a window of duplicates each`,
  async () => {
    begin();
    for (let kill = 0; kill < kills; kill += 1) {
      const from = taken.size;
      const after = Math.floor(random() * perRequest * 0.8);
      const due = new Promise<void>((resolve) => {
        onSubmit = () => {
          if (taken.size >= from + after) resolve();
        };
      });
      await send(perRequest / 10);
      await due;
      await sms.service.kill();
      await endLeases(sms.service);
      await sms.service.restart();
    }
    onSubmit = () => {};
    await settle();
    expect(duplicates()).toBeLessThanOrEqual(kills * window);
    await expectAllDelivered();
  },
  settleLimitMs + 120_000 + kills * 60_000,
);

test(
  `SEED=${seed}: ${disconnects} lost connections: bound again with patience, nothing lost`,
  async () => {
    begin();
    const names = Object.keys(faults);
    for (let turn = 0; turn < disconnects; turn += 1) {
      const fault = faults[names[turn % names.length] ?? ''];
      const after = 1 + Math.floor(random() * 20);
      let count = 0;
      const lost = new Promise<void>((resolve) => {
        answer = async () => {
          count += 1;
          if (count < after) return delivered;
          if (count === after + 9 || names[turn % names.length] !== names[0]) {
            answer = async () => delivered;
            resolve();
          }
          return fault?.(count - after) ?? delivered;
        };
      });
      await send(4);
      await lost;
    }
    await settle();
    expect(duplicates()).toBeLessThanOrEqual(disconnects * window);
    expect(binds.length).toBeGreaterThanOrEqual(disconnects);
    const gaps = binds.slice(1).map((atMs, index) => atMs - (binds[index] ?? 0));
    // A reconnect waits 1 s at least; timers of two processes are not one.
    expect(Math.min(...gaps)).toBeGreaterThan(900);
    await expectAllDelivered();
  },
  settleLimitMs + 120_000 + disconnects * 10_000,
);

test(
  `SEED=${seed}: throttling and full queues delay, and neither lose nor double`,
  async () => {
    begin();
    let refusals = 0;
    const untilMs = performance.now() + throttledMs;
    const full = new Set<number>();
    answer = async (count) => {
      if (performance.now() < untilMs && random() < 0.5) {
        refusals += 1;
        return { status: 0x58 };
      }
      if (count % 20 === 7 && full.size < 3 && !full.has(count)) {
        full.add(count);
        return { status: 0x14 };
      }
      return delivered;
    };
    await send(20);
    await settle();
    expect(refusals).toBeGreaterThan(0);
    expect(duplicates()).toBe(0);
    await expectAllDelivered();
  },
  settleLimitMs + 120_000,
);
