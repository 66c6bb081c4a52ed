/** Kills the service while a provider gives bundles, and loses the provider's responses: no bundle is given twice. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createRandom } from '../../../src/partner/sandbox/random.ts';
import { sized } from '../../../src/platform/sized-testing.ts';
import { addConnector } from '../../support/prepared/connectors.ts';
import { bundleToMany, type DataService, startData } from '../../support/requests/disbursement.ts';
import { phones } from '../../support/requests/sms.ts';
import {
  endLeases,
  rowsOf,
  topUp,
  unbalancedAccounts,
  withStoredData,
} from '../../support/service/stored-data.ts';

const trials = Number(process.env.NETWORK_TRIALS ?? sized(1, 3));
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
const random = createRandom(seed);

const bundlesPerTrial = 60;
const settleLimitMs = 150_000;
const callbackSecret = 'callback-secret';

let data: DataService;
let provider: Server;
let clientServer: Server;
let callbackUrl = '';
let accepted = 0;
/** Request, phone and state of each receipt. */
const receipts = new Set<string>();

/** How often the provider gave the bundle of a reference. It does not look whether it did so before. */
const given = new Map<string, number>();
const asked: string[] = [];
let onGiven = () => {};
/** The share of responses that never arrive although the bundle was given. */
let lost = 0;

beforeAll(async () => {
  provider = createServer((request, response) => void provide(request, response));
  clientServer = createServer(async (request, response) => {
    const { requestId, phone, deliveryStatus } = JSON.parse(await text(request));
    receipts.add(`${requestId} ${phone} ${deliveryStatus}`);
    response.writeHead(204).end();
  });
  for (const server of [provider, clientServer]) await once(server.listen(0, '127.0.0.1'), 'listening');
  callbackUrl = `${urlOf(clientServer)}/receipts`;
  const connector = {
    name: 'provider',
    kind: 'bundles',
    settings: { baseUrl: urlOf(provider), timeoutSeconds: 2 },
    secrets: { token: 'token', callbackSecret },
  };
  data = await startData({ LOG_LEVEL: 'error', RATE_LIMIT_PER_SECOND: '1000000' }, async (prepared) => {
    await addConnector(prepared, connector);
    await prepared.knex('channels').update({ bundle_connector: 'provider' });
    await topUp(prepared.knex, 'demo', trials * bundlesPerTrial);
  });
}, 180_000);

afterAll(async () => {
  await data?.service.dispose();
  for (const server of [provider, clientServer]) {
    server?.closeAllConnections();
    server?.close();
  }
});

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function provide(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const answer = (status: number, body: object) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  if (request.method === 'GET') {
    const reference =
      new URL(request.url ?? '', 'http://provider').searchParams.get('externalReference') ?? '';
    asked.push(reference);
    if (given.has(reference))
      answer(200, { transactionId: reference, externalReference: reference, status: 'PENDING' });
    else answer(404, { code: 'NOT_FOUND' });
    return;
  }
  const { externalReference } = JSON.parse(await text(request));
  given.set(externalReference, (given.get(externalReference) ?? 0) + 1);
  onGiven();
  void report(externalReference);
  if (random() < lost) request.socket.destroy();
  else
    setTimeout(
      () => answer(202, { transactionId: externalReference, externalReference, status: 'PENDING' }),
      random() * 20,
    );
}

/** The provider's callbacks: some overtake the response, and each is repeated until it was accepted. */
async function report(externalReference: string): Promise<void> {
  const body = JSON.stringify({ transactionId: externalReference, externalReference, status: 'SUCCESSFUL' });
  for (let delayMs = random() * 60; ; delayMs = 500) {
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const signature = createHmac('sha256', callbackSecret).update(`${timestamp}.${body}`).digest('hex');
    const answer = await fetch(`${data.demo.baseUrl}/inbound/provider`, {
      method: 'POST',
      headers: { 'X-Timestamp': timestamp, 'X-Signature': `sha256=${signature}` },
      body,
    }).catch(() => undefined);
    if (answer?.status === 200) return;
  }
}

test(
  `SEED=${seed}: ${trials} kills and lost answers: each bundle is given once, and the client hears of it once`,
  async () => {
    lost = 0.1;
    for (let trial = 0; trial < trials; trial += 1) {
      const killAt = new Promise<void>((resolve) => {
        let left = 1 + Math.floor(random() * bundlesPerTrial * 0.8);
        onGiven = () => {
          left -= 1;
          if (left === 0) resolve();
        };
      });
      await accept(trial);
      await killAt;
      await new Promise((resolve) => setTimeout(resolve, random() * 20));
      await data.service.kill();
      await endLeases(data.service);
      await data.service.restart();
      await allReceived();
    }
    expect([...given.values()].filter((times) => times > 1)).toEqual([]);
    expect(given.size).toBe(accepted);
    // Else the test has lost its edge.
    expect(asked.length).toBeGreaterThan(0);

    await data.service.stop();
    await withStoredData(data.service, async (knex) => {
      expect(await rowsOf(knex, `select id, state from messages where state <> 'Delivered'`)).toEqual([]);
      expect(await unbalancedAccounts(knex)).toEqual([]);
    });
    await data.service.restart();
  },
  trials * (settleLimitMs + 60_000),
);

async function accept(trial: number): Promise<void> {
  const numbers = phones(bundlesPerTrial, `+254711${trial}0`);
  const answer = await data.disburse(
    bundleToMany(numbers, '100MB', { receiptRequest: { correlator: 'faults', callbackUrl } }),
  );
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  accepted += numbers.length;
}

async function allReceived(): Promise<void> {
  const deadline = Date.now() + settleLimitMs;
  while (receipts.size < accepted) {
    if (Date.now() > deadline)
      throw new Error(`SEED=${seed}: ${accepted - receipts.size} bundles have no receipt`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(receipts.size).toBe(accepted);
  expect([...receipts].filter((receipt) => !receipt.endsWith(' Delivered'))).toEqual([]);
}
