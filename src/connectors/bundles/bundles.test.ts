/** Bundles at a provider: one fixed reference, rejections, unknown outcomes, and what pauses the provider. */

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Connector, OutboundMessage } from '../contract/connector.ts';
import { longLease } from '../contract/lease-testing.ts';
import {
  outbound,
  type Received,
  type Stub,
  type StubAnswer,
  startStub,
  type TestContext,
  testContext,
} from '../http/provider-testing.ts';
import { checkSettings } from '../runtime/settings.ts';
import { bundlesKind } from './bundles.ts';
import type { BundleSettings } from './settings.ts';

let stub: Stub;
let context: TestContext;
let connector: Connector;

const open = (settings: object = {}) => {
  const checked = checkSettings(bundlesKind, { baseUrl: stub.url, timeoutSeconds: 10, ...settings });
  return bundlesKind.open(checked as BundleSettings, { token: 'secret-token' }, context);
};
const taken = {
  status: 202,
  body: { transactionId: 'T1', externalReference: 'tarishi-17', status: 'PENDING' },
};
const state = (status: string, reason?: object) => ({
  status: 200,
  body: { transactionId: 'T1', externalReference: 'tarishi-17', status, ...(reason ? { reason } : {}) },
});
const refusal = (code: string, status = 422) => ({
  status,
  body: { reason: { code, message: `says ${code}` } },
});
const methods = () => stub.received.map(({ method }) => method);

const send = (...messages: OutboundMessage[]) =>
  connector.send(messages.length === 0 ? [outbound()] : messages, longLease);

beforeEach(async () => {
  stub = await startStub(() => taken);
  context = testContext();
  connector = open();
});
afterEach(async () => {
  await connector.close?.();
  await stub.close();
});

describe('a disbursement', () => {
  test('is posted as the provider documents it, with our id as reference and as Idempotency-Key', async () => {
    expect(await send()).toEqual([{ kind: 'accepted', networkId: 'T1' }]);
    const [{ method, url, headers, body } = {} as Received] = stub.received;
    expect([method, url]).toEqual(['POST', '/v1/disbursements']);
    expect(headers).toMatchObject({ authorization: 'Bearer secret-token', 'idempotency-key': 'tarishi-17' });
    expect(body).toEqual({
      externalReference: 'tarishi-17',
      msisdn: '254711000000',
      product: { code: '1GB' },
    });
  });

  test('names things as the settings say', async () => {
    const other = open({
      disbursePath: '/async/transactions',
      number: 'plus',
      referencePrefix: 'ke-',
      campaign: 'JULY',
      callbackUrl: 'https://tarishi.example/inbound/provider',
      products: { '1GB': { value: 1, unit: 'GB', validity: 'P1D' } },
      constants: { auto_confirm: true },
      names: {
        request: {
          reference: 'external_id',
          msisdn: 'party.mobile',
          value: 'size.number',
          unit: 'size.unit',
          validity: 'size.days',
          callbackUrl: 'callback_url',
        },
        response: { transactionId: 'id', reference: 'external_id', status: 'status.message' },
      },
      statuses: { CREATED: 'PENDING', COMPLETED: 'SUCCESSFUL' },
      idempotencyHeader: 'X-Request-Key',
    });
    stub.answer = () => ({
      status: 201,
      body: { id: 99, external_id: 'ke-17', status: { message: 'COMPLETED' } },
    });
    expect(await other.send([outbound()], longLease)).toEqual([
      { kind: 'accepted', networkId: '99', reports: ['Delivered'] },
    ]);
    expect(stub.received[0]).toMatchObject({
      url: '/async/transactions',
      headers: { 'x-request-key': 'ke-17' },
    });
    expect(stub.received[0]?.body).toEqual({
      auto_confirm: true,
      external_id: 'ke-17',
      party: { mobile: '+254711000000' },
      size: { number: 1, unit: 'GB', days: 'P1D' },
      campaign: 'JULY',
      callback_url: 'https://tarishi.example/inbound/provider',
    });
    await other.close?.();
  });

  test('of a bundle that the provider does not offer is rejected without a call', async () => {
    const other = open({ products: { '2GB': { code: 'D2' } } });
    expect(await other.send([outbound()], longLease)).toMatchObject([
      { kind: 'rejected', state: 'InvalidDenomination' },
    ]);
    expect(stub.received).toEqual([]);
    await other.close?.();
  });
});

describe('a response', () => {
  const outcomes: [string, Awaited<ReturnType<Stub['answer']>>, object][] = [
    ['SUCCESSFUL at once is a delivery', state('SUCCESSFUL'), { kind: 'accepted', reports: ['Delivered'] }],
    ['SUBMITTED is open', state('SUBMITTED'), { kind: 'accepted', networkId: 'T1' }],
    ['REJECTED is final', state('REJECTED', { code: 'WRONG_NETWORK', message: 'not ours' }), { kind: 'rejected', state: 'InvalidMsisdn', reason: 'not ours', reasonCode: 'WRONG_NETWORK' }],
    ['INVALID_MSISDN is final', refusal('INVALID_MSISDN', 400), { kind: 'rejected', state: 'InvalidMsisdn', reason: 'says INVALID_MSISDN', reasonCode: 'INVALID_MSISDN' }],
    ['WRONG_NETWORK is final', refusal('WRONG_NETWORK'), { kind: 'rejected', state: 'InvalidMsisdn' }],
    ['PRODUCT_UNAVAILABLE is final', refusal('PRODUCT_UNAVAILABLE', 404), { kind: 'rejected', state: 'InvalidDenomination' }],
    ['RECENTLY_RECHARGED is final', refusal('RECENTLY_RECHARGED', 409), { kind: 'rejected', state: 'Duplicated' }],
    ['a business code nobody knows is final', refusal('BARRED', 403), { kind: 'rejected', state: 'Failed', reasonCode: 'BARRED' }],
    ['400 without a code is final', { status: 400 }, { kind: 'rejected', state: 'Failed', reasonCode: 'HTTP 400' }],
    ['429 is tried again when the provider says', { status: 429, headers: { 'Retry-After': '9' } }, { kind: 'later', delaySeconds: 9 }],
    ['408 is in doubt', { status: 408 }, { kind: 'unclear' }],
    ['500 is in doubt', { status: 500 }, { kind: 'unclear' }],
    ['503 is in doubt for as long as it says', { status: 503, headers: { 'Retry-After': '30' } }, { kind: 'unclear', delaySeconds: 30 }],
    ['200 without a word is in doubt', { status: 200 }, { kind: 'unclear' }],
    ['202 about something else is in doubt', { status: 202, body: { ...taken.body, externalReference: 'tarishi-18' } }, { kind: 'unclear' }],
    ['a dropped connection is in doubt', 'drop', { kind: 'unclear' }],
  ]; // biome-ignore format: a table
  test.each<[string, StubAnswer, object]>([
    ['a 429', { status: 429 }, { throttled: true, lastError: null }],
    ['a 503', { status: 503 }, { throttled: false, lastError: { reason: 'the provider responded 503' } }],
    ['a dropped connection', 'drop', { lastError: { reason: expect.stringContaining('did not respond') } }],
  ])('operators see %s', async (_name, answer, seen) => {
    stub.answer = () => answer;
    await send();
    expect(context.trouble.seen()).toMatchObject(seen);
  });

  test.each(outcomes)('%s', async (_name, answer, outcome) => {
    stub.answer = () => answer;
    expect(await send()).toMatchObject([outcome]);
    expect(stub.received).toHaveLength(1);
    expect(context.pauses).toEqual([]);
  });

  test.each([
    ['INSUFFICIENT_FLOAT', refusal('INSUFFICIENT_FLOAT', 402)],
    ['INSUFFICIENT_FLOAT', refusal('INSUFFICIENT_FLOAT', 503)],
    ['401', { status: 401 }],
    ['302', { status: 302 }],
  ])('%s pauses the provider, and the message waits', async (_name, answer) => {
    stub.answer = () => answer;
    expect(await send(outbound(), outbound({ id: '18' }))).toMatchObject([
      { kind: 'later' },
      { kind: 'later' },
    ]);
    expect(context.pauses[0]).toContain(_name);
  });

  test('a disbursement that failed for lack of float pauses the provider too', async () => {
    const failed = state('FAILED', { code: 'INSUFFICIENT_FLOAT', message: 'no float' });
    stub.answer = () => failed;
    expect(await send()).toMatchObject([{ kind: 'rejected', state: 'Failed' }]);
    context.clock.advance(60);
    expect(await connector.ask?.([outbound()])).toMatchObject([{ kind: 'rejected', state: 'Failed' }]);
    expect(context.pauses).toHaveLength(2);
  });

  test('no connection: the provider has seen nothing, and gets no calls for a while', async () => {
    await stub.close();
    expect(await send()).toEqual([{ kind: 'later', delaySeconds: 2 }]);
    context.clock.advance(2);
    expect(await send()).toEqual([{ kind: 'later', delaySeconds: 4 }]);
  });

  test.each([
    ['409', { status: 409 }],
    ['DUPLICATE_REFERENCE', refusal('DUPLICATE_REFERENCE')],
  ])("%s: the provider's record under our reference counts", async (_name, answer) => {
    stub.answer = ({ method }) => (method === 'POST' ? answer : state('SUCCESSFUL'));
    expect(await send()).toMatchObject([{ kind: 'accepted', networkId: 'T1' }]);
    stub.answer = ({ method }) => (method === 'POST' ? answer : { status: 404 });
    expect(await send()).toMatchObject([{ kind: 'rejected', state: 'Duplicated' }]);
    expect(methods()).toEqual(['POST', 'GET', 'POST', 'GET']);
  });
});

test.each<[string, StubAnswer, object]>([
  ['PENDING: the provider has it', state('PENDING'), { kind: 'accepted', networkId: 'T1' }],
  ['SUCCESSFUL: delivered', state('SUCCESSFUL'), { kind: 'accepted', reports: ['Delivered'] }],
  ['EXPIRED: rejected', state('EXPIRED'), { kind: 'rejected', state: 'Failed' }],
  [
    'REVERSED before we learned of a success: rejected',
    state('REVERSED'),
    { kind: 'rejected', state: 'Failed' },
  ],
  ['404: the provider never got it', { status: 404 }, { kind: 'unknown' }],
  ['an empty list: the provider never got it', { status: 200, body: [] }, { kind: 'unknown' }],
  ['a list of one', { status: 200, body: [state('SUCCESSFUL').body] }, { kind: 'accepted', networkId: 'T1' }],
  ['500: query again', { status: 500 }, { kind: 'unclear' }],
  ['dropped: query again', 'drop', { kind: 'unclear' }],
])('a query by reference, %s', async (_name, answer, outcome) => {
  stub.answer = () => answer;
  expect(await connector.ask?.([outbound()])).toMatchObject([outcome]);
  expect(stub.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /v1/disbursements?externalReference=tarishi-17',
  ]);
});

test('the results of a batch are in its order; up to eight queries run at once', async () => {
  stub.answer = ({ body }) => ({
    status: 202,
    body: { transactionId: `T${body.externalReference}`, status: 'PENDING' },
  });
  const ids = Array.from({ length: 40 }, (_, index) => String(index + 1));
  const outcomes = await connector.send(
    ids.map((id) => outbound({ id })),
    longLease,
  );
  expect(outcomes).toEqual(ids.map((id) => ({ kind: 'accepted', networkId: `Ttarishi-${id}` })));
});
