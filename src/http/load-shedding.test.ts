/** What happens to requests that arrive while no more are admitted. */
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type Koa from 'koa';
import { type Admission, createAdmission } from './admission.ts';
import { impatientDelayMs } from './bounds.ts';
import { createLoadShedding, type LoadShedding } from './load-shedding.ts';

let nowMs: number;
let admission: Admission;
let shedding: LoadShedding;
let refused: [operation: string, status: number][];
/** The urls of the requests that were not rejected. */
let served: string[];

beforeEach(() => {
  jest.useFakeTimers();
  nowMs = 0;
  refused = [];
  served = [];
  const stopwatch = { elapsedMs: () => nowMs };
  admission = createAdmission(stopwatch);
  shedding = createLoadShedding({
    admission,
    stopwatch,
    events: { requestRefused: (...event) => refused.push(event) },
    render: async (_, next) => next(),
  });
});
afterEach(() => {
  jest.useRealTimers();
});

const fill = () => {
  while (admission.enter() !== undefined);
};

interface Sent {
  url?: string;
  headers?: Record<string, string>;
  complete?: boolean;
  socket?: object;
}

/** The response is undefined until it is sent. */
function send({ url = '/message/demo', headers = {}, complete = true, socket = {} }: Sent = {}) {
  const request = Object.assign(new EventEmitter(), {
    url,
    headers,
    complete,
    socket,
    httpVersion: '1.1',
  }) as unknown as IncomingMessage;
  const sent: { status?: number; headers?: object; body?: string } = {};
  const response = Object.assign(new EventEmitter(), {
    statusCode: 200,
    writeHead: (status: number, written: object) => Object.assign(sent, { status, headers: written }),
    end: (body: string) => Object.assign(sent, { body }),
  }) as unknown as ServerResponse;
  shedding.before(() => served.push(url))(request, response);
  return {
    sent,
    request,
    /** All of the response is written; the client need not have read it. */
    finish: () => response.emit('prefinish'),
    gone: () => response.emit('close'),
  };
}

describe('while there is room', () => {
  test('a request is in progress until its response is written or its client is gone', () => {
    const { finish, gone } = send();
    expect([served, admission.inProgress()]).toEqual([['/message/demo'], 1]);
    finish();
    expect(admission.inProgress()).toBe(0);
    gone();
    expect(admission.inProgress()).toBe(0);
    send().gone();
    expect(admission.inProgress()).toBe(0);
  });

  test('a request whose body is on its way takes no room until it has arrived', () => {
    const { request, finish } = send({ complete: false });
    jest.runAllTicks();
    expect([served.length, admission.inProgress()]).toEqual([1, 0]);
    request.emit('end');
    expect(admission.inProgress()).toBe(1);
    finish();
    expect(admission.inProgress()).toBe(0);
  });

  test('a body that ends after its response never takes room', () => {
    const { request, finish } = send({ complete: false });
    jest.runAllTicks();
    finish();
    request.emit('end');
    expect(admission.inProgress()).toBe(0);
  });
});

describe('while there is none', () => {
  beforeEach(fill);

  test('429 The service is overloaded. Try again later. — at once, as the contract has it', () => {
    const { sent } = send({ headers: { 'x-request-id': 'mine' } });
    expect(sent).toEqual({
      status: 429,
      headers: expect.objectContaining({
        'Retry-After': '2',
        'Error-Code': 'overloaded',
        Link: '</docs/errors/overloaded>; rel="help"',
        'Content-Type': 'application/json; charset=utf-8',
        'X-Request-Id': 'mine',
      }),
      body: '{"error":"rate_limit_exceeded","error_description":"The service is overloaded. Try again later."}',
    });
    expect([served, refused]).toEqual([[], [['none', 429]]]);
  });

  test('a connection that retries before the end of Retry-After waits for its rejection', () => {
    const socket = {};
    send({ socket });
    nowMs = 1_999;
    const { sent } = send({ socket });
    jest.advanceTimersByTime(impatientDelayMs - 1);
    expect(sent.status).toBeUndefined();
    jest.advanceTimersByTime(1);
    expect(sent.status).toBe(429);
    nowMs += 2_000;
    expect(send({ socket }).sent.status).toBe(429);
  });

  test.each(['/healthz', '/readyz', '/readyz?x', '/inbound/whatsapp'])('%s is served regardless', (url) => {
    send({ url });
    expect(served).toEqual([url]);
  });

  test.each<[string, Record<string, string>]>([
    ['is long', { 'content-length': '1000000' }],
    ['is held back', { expect: '100-continue' }],
  ])('if the body %s, the rejection is left to the body reader', async (_, headers) => {
    const { request, sent } = send({ headers });
    expect(sent).toEqual({});
    const next = async () => {};
    await expect(shedding.refuseRest({ req: request } as Koa.Context, next)).rejects.toMatchObject({
      status: 429,
      slug: 'overloaded',
    });
  });
});
