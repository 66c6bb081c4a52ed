/** Kills the service at random moments under load of SMS and bundles, and holds what is stored to what it had acknowledged. */
import { once } from 'node:events';
import type { AddressInfo, Server as TcpServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Knex } from 'knex';
import { createRandom } from '../../../src/partner/sandbox/random.ts';
import { sized } from '../../../src/platform/sized-testing.ts';
import { bundleToMany } from '../../support/requests/disbursement.ts';
import { lossyProxy, type RandomRequest, randomRequest } from '../../support/requests/fault-load.ts';
import { phones } from '../../support/requests/sms.ts';
import { type Answer, call } from '../../support/service/api.ts';
import { startDemoClient } from '../../support/service/demo-client.ts';
import { type Receiver, startReceiver } from '../../support/service/receiver.ts';
import type { Service } from '../../support/service/service.ts';
import {
  restartUnclaimed,
  rowsOf,
  topUp,
  unbalancedAccounts,
  withStoredData,
} from '../../support/service/stored-data.ts';

const trials = Number(process.env.CRASH_TRIALS ?? sized(1, 3));
const seed = Number(process.env.SEED);
const callers = 32;
const requestsPerCaller = 8;
/** This share of the responses is lost on the way to the client. */
const lostAnswers = 0.05;
const unitsPerTrial = callers * requestsPerCaller * 8;
const settleLimitMs = 120_000;

const random = createRandom(seed);

interface Sent extends RandomRequest {
  path: string;
  answer?: Answer;
  /** Attempts that ended without a response. */
  lost: number;
}

let service: Service;
let receiver: Receiver;
let proxy: TcpServer;
/** Where the callers call: a proxy that loses responses. */
let baseUrl = '';
let token = '';
/** Resolves while the service runs. */
let up: Promise<void> = Promise.resolve();

/** What was sent with each Idempotency-Key, and what came back. */
const sent = new Map<string, Sent>();
beforeAll(async () => {
  receiver = await startReceiver();
  ({ service, token } = await startDemoClient(
    { RATE_LIMIT_PER_SECOND: '1000000', LOG_LEVEL: 'error' },
    ({ knex, demo }) => topUp(knex, demo.clientId, unitsPerTrial * trials),
  ));
  proxy = lossyProxy(Number(new URL(service.demo.baseUrl).port), lostAnswers, random);
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  baseUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});

afterAll(async () => {
  proxy?.close();
  receiver?.close();
  await service?.dispose();
});

test(
  `SEED=${seed}: ${trials} kills under load lose, double and half-do nothing`,
  async () => {
    for (let trial = 0; trial < trials; trial += 1) await killUnderLoad(trial);
    await replayEveryKey();
    await settle();

    // Else the test has lost its edge.
    expect([...sent.values()].filter(({ lost }) => lost > 0).length).toBeGreaterThan(trials);

    await service.stop();
    await withStoredData(service, async (knex) => {
      await expectOneRequestPerKey(knex);
      await expectWhatWasAnswered(knex);
      expect(await unbalancedAccounts(knex)).toEqual([]);
      await expectFinalMessages(knex);
      await expectReceipts(knex);
    });
  },
  180_000 + trials * 20_000,
);

/** The callers work; at some acknowledgement, and a moment later, the service dies and comes back. */
async function killUnderLoad(trial: number): Promise<void> {
  let left = Math.floor(random() * callers * requestsPerCaller * 0.8) + 1;
  const delayMs = random() * 15;
  let killed: Promise<void> | undefined;
  const onAnswer = () => {
    left -= 1;
    if (left > 0 || killed !== undefined) return;
    killed = new Promise((resolve) => setTimeout(resolve, delayMs)).then(async () => {
      let announce = () => {};
      up = new Promise((resolve) => {
        announce = resolve;
      });
      await service.kill();
      await service.restart();
      announce();
    });
  };
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (let index = 0; index < requestsPerCaller; index += 1)
        await send(`trial-${trial}-caller-${caller}-request-${index}`, onAnswer);
    }),
  );
  expect(killed).toBeDefined();
  await killed;
}

/** Sends a request until it gets a response. */
async function send(key: string, onAnswer: () => void): Promise<void> {
  const request: Sent = {
    ...smsOrBundles({ correlator: key, callbackUrl: receiver.url('/receipts') }),
    lost: 0,
  };
  sent.set(key, request);
  for (;;) {
    await up;
    try {
      const answer = await post(baseUrl, key, request);
      // The response was lost and the first attempt is still running.
      if (answer.status === 409) continue;
      expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('requestId')]);
      Object.assign(request, { answer });
      return onAnswer();
    } catch (error) {
      // fetch: the connection failed, before or after the service had read the request.
      if ((error as Error).name !== 'TypeError') throw error;
      request.lost += 1;
    }
  }
}

/** Of four requests one disburses bundles, of which some are refused. */
function smsOrBundles(receiptRequest: object): Pick<Sent, 'path' | 'body' | 'phones'> {
  if (random() < 0.75)
    return { path: `/message/${service.demo.smsServiceId}`, ...randomRequest(random, receiptRequest) };
  const recipients = [...phones(1 + Math.floor(random() * 3)), '+254711000001'];
  return {
    path: `/data/${service.demo.campaigns.open}`,
    body: bundleToMany(recipients, '100MB', { receiptRequest }),
    phones: recipients,
  };
}

function post(to: string, key: string, { path, body }: Pick<Sent, 'path' | 'body'>): Promise<Answer> {
  return call(to, path, { token, body, headers: { 'idempotency-key': key } });
}

/** Whatever happened since: the same key gets the first response, byte for byte. */
async function replayEveryKey(): Promise<void> {
  const keys = [...sent];
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (let next = keys.pop(); next !== undefined; next = keys.pop()) {
        const [key, request] = next;
        const again = await post(service.demo.baseUrl, key, request);
        expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([
          request.answer?.text,
          'true',
        ]);
      }
    }),
  );
}

/** The webhook-ids under which each message's receipt came. */
function received(): Map<string, Set<string>> {
  const ids = new Map<string, Set<string>>();
  for (const { body, headers } of receiver.on('/receipts')) {
    const message = `${body.requestId} ${body.phone} ${body.deliveryStatus}`;
    ids.set(message, (ids.get(message) ?? new Set()).add(String(headers['webhook-id'])));
  }
  return ids;
}

/** Ends what the dead processes had claimed, and waits for the last receipt. */
async function settle(): Promise<void> {
  await restartUnclaimed(service);
  const expected = [...sent.values()].reduce((sum, { phones }) => sum + phones.length, 0);
  const deadlineMs = performance.now() + settleLimitMs;
  while (received().size < expected) {
    if (performance.now() > deadlineMs)
      throw new Error(`${received().size} of ${expected} receipts came\n${service.output()}`);
    await delay(100);
  }
}

async function expectOneRequestPerKey(knex: Knex): Promise<void> {
  const stored = await rowsOf<{ id: string }>(knex, 'select id from requests order by id');
  const acknowledged = [...sent.values()].map(requestIdOf).sort();
  expect(stored.map(({ id }) => id)).toEqual(acknowledged);
  expect(new Set(acknowledged).size).toBe(sent.size);
  const keys = await rowsOf<{ key: string; id: string }>(
    knex,
    `select key, accepted ->> 'requestId' as id from idempotency_keys`,
  );
  expect(new Map(keys.map(({ key, id }) => [key, id]))).toEqual(
    new Map([...sent].map(([key, request]) => [key, requestIdOf(request)])),
  );
}

/** Debit, messages and the units of the response are equal. */
async function expectWhatWasAnswered(knex: Knex): Promise<void> {
  const stored = await rowsOf<{ id: string; units: number; debit: number; phones: string[] }>(
    knex,
    `select request_id as id, sum(units)::integer as units, array_agg(phone order by phone) as phones,
       (select -sum(units)::integer from ledger_entries e
        where e.request_id = m.request_id and reason = 'Debit') as debit
     from messages m group by request_id`,
  );
  const expected = [...sent.values()].map((request) => {
    const units = sumOf(acceptedOf(request).units);
    return { id: requestIdOf(request), units, debit: units, phones: [...request.phones].sort() };
  });
  const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
  expect(stored.sort(byId)).toEqual(expected.sort(byId));
}

/** Of bundles per channel and denomination, of SMS per channel. */
function sumOf(units: Units): number {
  return Object.values(units).reduce<number>((sum, n) => sum + (typeof n === 'number' ? n : sumOf(n)), 0);
}

/** By the published outcomes of the simulator; only rejected messages were refunded, each once. */
async function expectFinalMessages(knex: Knex): Promise<void> {
  const wrong = await rowsOf(
    knex,
    `select m.id, m.phone, m.state, m.units, coalesce(sum(e.units), 0) as refund
     from messages m left join ledger_entries e on e.message_id = m.id and e.reason = 'Refund'
     group by m.id
     having m.state <> case right(m.phone, 4) when '0001' then 'Failed' when '0002' then 'AbsentSubscriber'
         when '0005' then 'InvalidMsisdn' else 'Delivered' end
       or coalesce(sum(e.units), 0) <> case when right(m.phone, 4) in ('0001', '0005') then m.units else 0 end`,
  );
  expect(wrong).toEqual([]);
  const given = await rowsOf<{ id: string; times: number }>(
    knex,
    'select message_id as id, times from simulated_bundles order by message_id',
  );
  const delivered = await rowsOf<{ id: string }>(
    knex,
    `select id from messages where product = 'data' and state = 'Delivered' order by id`,
  );
  expect(given).toEqual(delivered.map(({ id }) => ({ id, times: 1 })));
  expect(await rowsOf(knex, "select id from jobs where queue = 'deliver'")).toEqual([]);
}

async function expectReceipts(knex: Knex): Promise<void> {
  const stored = await rowsOf<{ message: string; id: string }>(
    knex,
    `select concat_ws(' ', m.request_id, m.phone, m.state) as message, r.id
     from messages m left join receipts r on r.message_id = m.id and r.state = 'Delivered'`,
  );
  expect(received()).toEqual(new Map(stored.map(({ message, id }) => [message, new Set([id])])));
}

interface Units {
  [name: string]: number | Units;
}

/** The acceptance of an SMS stands in `result`. */
function acceptedOf({ answer }: Sent): { requestId: string; units: Units } {
  return answer?.body.result ?? answer?.body;
}

const requestIdOf = (request: Sent) => acceptedOf(request).requestId;
