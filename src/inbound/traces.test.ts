/** The trace of a message of a phone begins when it is stored, and goes on to its callback. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { trace } from '@opentelemetry/api';
import { recordSpans, type SpanRecorder } from '../platform/spans-testing.ts';
import { type InboundTestBed, openInbound, part, phone, text } from './testing.ts';

const url = 'https://acme.example/in';
let inbound: InboundTestBed;

beforeAll(async () => {
  inbound = await openInbound();
  await inbound.addClient('client');
  await inbound.database.knex('services').update({ inbound_callback_url: url });
});
afterAll(() => inbound.database.close());
afterEach(async () => {
  await inbound.database.knex('receipts').delete();
});

const traces = () => inbound.database.knex('receipts').pluck('trace');

test('without an SDK there is no trace', async () => {
  await inbound.receive(text('Asante'));
  expect(await traces()).toEqual([null]);
});

describe('with an SDK', () => {
  let recorder: SpanRecorder;
  beforeAll(() => {
    recorder = recordSpans();
  });
  afterAll(() => trace.disable());
  afterEach(() => recorder.reset());

  test('it is a span, whose trace is stored for the callback', async () => {
    await inbound.receive(text('Asante'));
    const [span, ...others] = recorder.ended();
    const { traceId = '', spanId = '' } = span?.context ?? {};
    expect([span?.name, span?.parent, others]).toEqual(['receive', undefined, []]);
    expect(await traces()).toEqual([`00-${traceId}-${spanId}-01`]);
    const told = JSON.stringify([span?.attributes, span?.events]);
    for (const secret of [phone.slice(1), 'Asante', url]) expect(told).not.toContain(secret);
  });

  test('a text in parts is one span, a message that comes again and one for nobody are none', async () => {
    const again = text('Habari', { identity: 'same' });
    await inbound.receive(part(1, 2, 'one'), again, text('Habari', { to: '22142' }));
    await inbound.receive(part(2, 2, 'two'), again);
    expect(recorder.ended()).toHaveLength(2);
    expect(await traces()).toHaveLength(2);
  });
});
