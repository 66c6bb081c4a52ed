/** An SMSC that cuts connections and keeps silent: nothing is lost, and nobody else is held up by it. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createRandom } from '../../../src/partner/sandbox/random.ts';
import { sized } from '../../../src/platform/sized-testing.ts';
import { type Smsc, startSmsc } from '../../support/networks/smsc.ts';
import { addSafaricomConnector } from '../../support/prepared/connectors.ts';
import { phones, toEach } from '../../support/requests/sms.ts';
import { call } from '../../support/service/api.ts';
import { startDemoClient } from '../../support/service/demo-client.ts';
import type { Service } from '../../support/service/service.ts';
import { rowsOf, unbalancedAccounts, withStoredData } from '../../support/service/stored-data.ts';

const trials = Number(process.env.NETWORK_TRIALS ?? sized(1, 3));
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
const random = createRandom(seed);

const window = 10;
const messagesPerTrial = 300;
const settleLimitMs = 120_000;

let service: Service;
let smsc: Smsc;
let token: string;
let listener: Server;
let callbackUrl = '';
let batches = 0;
let accepted = 0;
/** Request, phone and state of each receipt. */
const receipts = new Set<string>();

beforeAll(async () => {
  listener = createServer(async (request, response) => {
    const { requestId, phone, deliveryStatus } = JSON.parse(await text(request));
    receipts.add(`${requestId} ${phone} ${deliveryStatus}`);
    response.writeHead(204).end();
  });
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  callbackUrl = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/receipts`;
  // Reports overtake responses, and responses overtake each other.
  smsc = await startSmsc({ answerMs: () => random() * 10, reportMs: () => random() * 15 });
  const connector = {
    name: 'smsc',
    kind: 'smpp',
    settings: {
      host: '127.0.0.1',
      port: smsc.port,
      systemId: 'tarishi',
      window,
      rate: 1_000,
      responseTimeoutSeconds: 60,
    },
    secrets: { password: 'secret' },
  };
  ({ service, token } = await startDemoClient(
    { LOG_LEVEL: 'error', RATE_LIMIT_PER_SECOND: '1000000' },
    (prepared) => addSafaricomConnector(prepared, connector),
  ));
}, 180_000);

afterAll(async () => {
  await service?.dispose();
  await smsc?.close();
  listener?.closeAllConnections();
  listener?.close();
});

beforeEach(() => {
  smsc.taken.clear();
  smsc.bindsAtMs.length = 0;
  smsc.treat = () => 'take';
  smsc.onSubmit = () => {};
});

/** Accepts messages whose texts are all different. */
async function accept(count: number, prefix = '+25471100'): Promise<string[]> {
  const texts: string[] = [];
  for (let first = 0; first < count; first += 50) {
    batches += 1;
    const messages = phones(Math.min(50, count - first), prefix).map((phone, place) => ({
      phone,
      message: `batch ${batches} place ${place}`,
    }));
    const path = `/message/${service.demo.smsServiceId}`;
    const answer = await call(service.demo.baseUrl, path, {
      token,
      body: toEach(messages, { receiptRequest: { correlator: 'faults', callbackUrl } }),
    });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    accepted += messages.length;
    texts.push(...messages.map(({ message }) => message));
  }
  return texts;
}

/** Resolves when the SMSC has been sent so many more. */
function submits(count: number): Promise<void> {
  let left = count;
  return new Promise((resolve) => {
    smsc.onSubmit = () => {
      left -= 1;
      if (left === 0) resolve();
    };
  });
}

/** Resolves when the SMSC took each of the texts, and nothing is under way any more. */
async function allTaken(texts: readonly string[]): Promise<void> {
  const deadline = Date.now() + settleLimitMs;
  while (!texts.every((text) => smsc.taken.has(text))) {
    if (Date.now() > deadline) {
      const missing = texts.filter((text) => !smsc.taken.has(text));
      throw new Error(`SEED=${seed}: ${missing.length} never came, such as ${missing[0]}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Resolves when each message accepted so far has its receipt; all are delivered, and nobody paid twice. */
async function allDelivered(): Promise<void> {
  const deadline = Date.now() + settleLimitMs;
  while (receipts.size < accepted) {
    if (Date.now() > deadline)
      throw new Error(`SEED=${seed}: ${accepted - receipts.size} messages have no receipt`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(new Set([...receipts].map((receipt) => receipt.split(' ')[2]))).toEqual(new Set(['Delivered']));
  expect(receipts.size).toBe(accepted);
  await service.stop();
  await withStoredData(service, async (knex) => {
    expect(await rowsOf(knex, `select id, state from messages where state <> 'Delivered'`)).toEqual([]);
    expect(await unbalancedAccounts(knex)).toEqual([]);
  });
  await service.restart();
}

async function receiptsOfOthers(count: number): Promise<void> {
  const deadline = Date.now() + settleLimitMs;
  while ([...receipts].filter((receipt) => receipt.includes('+254733')).length < count) {
    if (Date.now() > deadline) throw new Error(`SEED=${seed}: the other channel stands still`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function duplicates(): number {
  return [...smsc.taken.values()].reduce((sum, times) => sum + times - 1, 0);
}

test(
  `SEED=${seed}: ${trials} connections cut amid hand-overs lose nothing, bind again in due time, and hold up nobody else`,
  async () => {
    const texts = await accept(messagesPerTrial);
    for (let cut = 0; cut < trials; cut += 1) {
      let left = 1 + Math.floor(random() * 40);
      await new Promise<void>((resolve) => {
        smsc.treat = () => {
          left -= 1;
          if (left !== 0) return 'take';
          resolve();
          return 'close';
        };
        if (smsc.taken.size === texts.length) resolve();
      });
      // While it is good for nothing, the other channel delivers as ever.
      smsc.treat = () => 'close';
      await accept(5, '+25473300');
      await receiptsOfOthers((cut + 1) * 5);
      smsc.treat = () => 'take';
    }
    await allTaken(texts);
    expect(duplicates()).toBeLessThanOrEqual(trials * window);
    const [first = 0] = smsc.bindsAtMs;
    const seconds = ((smsc.bindsAtMs.at(-1) ?? 0) - first) / 1_000;
    expect(smsc.bindsAtMs.length - 1).toBeLessThanOrEqual(seconds);
    await allDelivered();
  },
  settleLimitMs * 3,
);

test('an SMSC that never responds does not keep the service from ending', async () => {
  smsc.treat = () => 'keep silent';
  const submitted = submits(1);
  await accept(50);
  await submitted;
  expect(await service.stop()).toBe(0);
  smsc.treat = () => 'take';
  await service.restart();
  await allDelivered();
}, 300_000);
