/** One trace leads from a request to its callback, although requests and their messages are stored in between. */
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { trace } from '@opentelemetry/api';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { publishedScripts } from '../../../src/connectors/simulators/published-scripts.ts';
import type { SimulatorScripts } from '../../../src/connectors/simulators/script.ts';
import type { Demo } from '../../../src/demo/file.ts';
import { seedDemo } from '../../../src/demo/seed.ts';
import { connectionLimit } from '../../../src/http/bounds.ts';
import { listen } from '../../../src/http/connections/listener.ts';
import { createReadiness } from '../../../src/http/readiness.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import type { Database } from '../../../src/platform/db/knex.ts';
import { openTestDatabase } from '../../../src/platform/db/testing.ts';
import { type RecordedSpan, recordSpans, type SpanRecorder } from '../../../src/platform/spans-testing.ts';
import { readConfig } from '../../../src/process/config.ts';
import { paceFor, type Running } from '../../../src/process/context.ts';
import { createEvents } from '../../../src/process/events.ts';
import { openSecrets } from '../../../src/process/secret-key.ts';
import { startApi } from '../../../src/process/serve.ts';
import { startWorker, type Worker } from '../../../src/process/worker/work.ts';
import { createQueue } from '../../../src/queue/queue.ts';
import { createCallbackClient } from '../../../src/receipts/callback/client.ts';
import { createDestinations } from '../../../src/receipts/callback/destination.ts';
import { call, tokenFor } from '../../support/service/api.ts';
import { type Receiver, startReceiver } from '../../support/service/receiver.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';
const traceparent = `00-${traceId}-${parentId}-01`;
const tracestate = 'rojo=00f067aa0ba902b7,congo=a b';
const phone = '+254711005000';
const text = 'Habari Asha';

/** The network reports after its response. */
const scripts: SimulatorScripts = {
  ...publishedScripts,
  sms: () => ({ reports: [{ state: 'Delivered', afterSeconds: 0.001 }] }),
};

let database: Database;
let running: Running[];
let worker: Worker;
let receiver: Receiver;
let demo: Demo;
let token: string;
let sent = 0;

/** A `serve` and a `work` that share the database and nothing else. */
beforeAll(async () => {
  database = await openTestDatabase(process.env.DATABASE_URL);
  receiver = await startReceiver();
  const config = { ...readConfig({}), secretKey: randomBytes(32).toString('base64') };
  const logger = pino({ level: 'silent' });
  const registry = new Registry();
  const context = {
    config,
    clock: systemClock,
    logger,
    database,
    queue: createQueue(database.knex),
    registry,
    secrets: await openSecrets(config, database.knex),
    events: createEvents(registry, logger),
    readiness: createReadiness(systemClock),
    pace: paceFor(database, logger),
  };
  const clients = await listen({ host: '127.0.0.1', port: 0, connectionLimit });
  const publicUrl = `http://127.0.0.1:${clients.port}`;
  const seeded = await seedDemo(database.knex, context.secrets, { baseUrl: publicUrl });
  if (seeded === undefined) throw new Error('the database was not empty');
  demo = seeded;
  const wake = { delivery: () => {}, receipts: () => {} };
  const callbacks = createCallbackClient({ destinations: createDestinations({ allowLoopback: true }) });
  worker = await startWorker(context, { scripts, callbacks }, () => false);
  running = [worker, await startApi(context, { clients, publicUrl }, { wake })];
  token = await tokenFor(publicUrl, demo);
});

afterAll(async () => {
  trace.disable();
  for (const part of running.toReversed()) await part.stop();
  receiver.close();
  await database.close();
});

/** Sends one SMS; resolves with its id and the headers of its callback. */
async function send(headers: Record<string, string> = {}) {
  sent += 1;
  const path = `/receipts/${sent}`;
  const { status, body } = await call(demo.baseUrl, `/message/${demo.smsServiceId}`, {
    token,
    headers,
    body: {
      type: 'SendToMany',
      addresses: [phone],
      message: text,
      receiptRequest: { callbackUrl: receiver.url(path), correlator: 'order-1' },
    },
  });
  expect(status).toBe(200);
  const { requestId } = body.result as { requestId: string };
  // Nothing wakes the worker: it would look for work after half a second.
  await worker.settle();
  const [callback] = await receiver.received(path, 1);
  await worker.settle();
  return { requestId, headers: callback?.headers ?? {} };
}

const stored = async (requestId: string) => [
  await database.knex('requests').where({ id: requestId }).first('trace'),
  await database.knex('receipts').where({ request_id: requestId }).first('trace'),
];

describe('without an SDK', () => {
  test('a traceparent is stored with its request, and posted on as it came', async () => {
    const { requestId, headers } = await send({ traceparent });
    expect(headers.traceparent).toBe(traceparent);
    expect(await stored(requestId)).toEqual([{ trace: traceparent }, { trace: traceparent }]);
  });

  test('so is its tracestate', async () => {
    const { requestId, headers } = await send({ traceparent, tracestate });
    expect(headers).toMatchObject({ traceparent, tracestate });
    const trace = `${traceparent} ${tracestate}`;
    expect(await stored(requestId)).toEqual([{ trace }, { trace }]);
  });

  test.each([
    ['no traceparent', {}],
    ['a tracestate alone', { tracestate }],
    ['an invalid one', { traceparent: 'hello' }],
  ])('%s: nothing is stored, and nothing posted', async (_name, given) => {
    const { requestId, headers } = await send(given);
    expect(headers).not.toHaveProperty('traceparent');
    expect(await stored(requestId)).toEqual([{ trace: null }, { trace: null }]);
  });
});

describe('with an SDK', () => {
  let recorder: SpanRecorder;
  beforeAll(() => {
    recorder = recordSpans();
  });
  afterEach(() => recorder.reset());

  const named = (name: string) => {
    const found = recorder.ended().find((span) => span.name === name);
    if (found === undefined) throw new Error(`there is no span ${name}`);
    return found;
  };
  const placeOf = ({ context, parent }: RecordedSpan) => ({
    traceId: context.traceId,
    parent: parent?.spanId,
  });

  test('the trace of the caller goes on through every step, and to the callback', async () => {
    const { requestId, headers } = await send({ traceparent, tracestate });
    const request = named('POST /message/{serviceId}');
    expect(placeOf(request)).toEqual({ traceId, parent: parentId });
    const parent = request.context.spanId;
    const steps = ['accept', 'claim', 'submit', 'report', 'callback'].map(named);
    expect(steps.map(placeOf)).toEqual(steps.map(() => ({ traceId, parent })));
    const callback = named('callback').context;
    expect(headers).toMatchObject({ traceparent: `00-${traceId}-${callback.spanId}-01`, tracestate });
    expect(request.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/message/{serviceId}',
      'http.response.status_code': 200,
      'tarishi.operation': 'sendSms',
    });
    expect(named('accept').attributes).toMatchObject({ 'tarishi.request.id': requestId });
    expect(named('claim').attributes).toMatchObject({ 'tarishi.messages': 1 });
    expect(named('submit').attributes).toMatchObject({
      'tarishi.connector': 'simulator',
      'tarishi.outcome': 'accepted',
    });
    expect(named('report').attributes).toMatchObject({ 'tarishi.state': 'Delivered' });
    expect(named('callback').attributes).toMatchObject({ 'http.response.status_code': 200 });
  });

  test('without a traceparent, the trace begins with the request', async () => {
    const { headers } = await send();
    const request = named('POST /message/{serviceId}');
    const { traceId: own } = request.context;
    expect(request.parent).toBeUndefined();
    expect(recorder.ended().map((span) => span.context.traceId)).toEqual(recorder.ended().map(() => own));
    expect(headers.traceparent).toBe(`00-${own}-${named('callback').context.spanId}-01`);
  });

  test('a caller that does not sample is not recorded, and its traceparent passes on', async () => {
    const unsampled = `00-${traceId}-${parentId}-00`;
    const { headers } = await send({ traceparent: unsampled });
    expect(recorder.ended()).toEqual([]);
    expect(headers.traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
  });

  test('no span has a number, a text, a correlator or a callback URL', async () => {
    await send({ traceparent });
    await call(demo.baseUrl, `/messages?phone=${encodeURIComponent(phone)}`, { method: 'GET', token });
    const spans = recorder.ended();
    expect(spans.length).toBeGreaterThan(6);
    const told = JSON.stringify(
      spans.map(({ name, attributes, events, status }) => [name, attributes, events, status]),
    );
    for (const secret of [phone.slice(-9), text, 'order-1', '/receipts/']) expect(told).not.toContain(secret);
  });

  test('a rejected request is a span with its status, and no fault of the service', async () => {
    const { status } = await call(demo.baseUrl, '/message/unknown', {
      token,
      body: { type: 'SendToMany', addresses: [phone], message: text },
    });
    expect(status).toBe(404);
    const request = named('POST /message/{serviceId}');
    expect(request.attributes).toMatchObject({ 'http.response.status_code': 404 });
    expect(request.status).toEqual({ code: 0 });
  });
});
