/** One trace leads from a request to its callback, although requests and their messages are stored in between. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { trace } from '@opentelemetry/api';
import { publishedScripts } from '../../../src/connectors/simulators/published-scripts.ts';
import type { SimulatorScripts } from '../../../src/connectors/simulators/script.ts';
import { type RecordedSpan, recordSpans, type SpanRecorder } from '../../../src/platform/spans-testing.ts';
import { toMany } from '../../support/requests/sms.ts';
import { type DemoCaller, demoCallerIn } from '../../support/service/demo-client.ts';
import type { InProcess } from '../../support/service/in-process.ts';
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

let client: DemoCaller<InProcess>;
let receiver: Receiver;
let sent = 0;

beforeAll(async () => {
  receiver = await startReceiver();
  client = await demoCallerIn({}, { delivers: true, scripts });
});
afterAll(async () => {
  trace.disable();
  await client.service.dispose();
  receiver.close();
});

/** Sends one SMS; resolves with its id and the headers of its callback. */
async function send(headers: Record<string, string> = {}) {
  const { demo, post, service } = client;
  sent += 1;
  const path = `/receipts/${sent}`;
  const receiptRequest = { callbackUrl: receiver.url(path), correlator: 'order-1' };
  const body = toMany([phone], text, { receiptRequest });
  const answer = await post(`/message/${demo.smsServiceId}`, body, { headers });
  expect(answer.status).toBe(200);
  const [callback] = await receiver.received(path, 1);
  await service.settle();
  return { requestId: String(answer.body.result.requestId), headers: callback?.headers ?? {} };
}

const stored = async (requestId: string) => [
  await client.service.knex('requests').where({ id: requestId }).first('trace'),
  await client.service.knex('receipts').where({ request_id: requestId }).first('trace'),
];

describe('without an SDK', () => {
  test.each([
    ['a traceparent', { traceparent }, traceparent],
    ['its tracestate too', { traceparent, tracestate }, `${traceparent} ${tracestate}`],
    ['a tracestate alone', { tracestate }, null],
  ])('%s: stored with its request, and posted on as it came, or neither', async (_name, given, kept) => {
    const { requestId, headers } = await send(given);
    if (kept === null) expect(headers).not.toHaveProperty('traceparent');
    else expect(headers).toMatchObject(given);
    expect(await stored(requestId)).toEqual([{ trace: kept }, { trace: kept }]);
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
    await client.get(`/messages?phone=${encodeURIComponent(phone)}`);
    const spans = recorder.ended();
    expect(spans.length).toBeGreaterThan(6);
    const told = JSON.stringify(
      spans.map(({ name, attributes, events, status }) => [name, attributes, events, status]),
    );
    for (const secret of [phone.slice(-9), text, 'order-1', '/receipts/']) expect(told).not.toContain(secret);
  });
});
