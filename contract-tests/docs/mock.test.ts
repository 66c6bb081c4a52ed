/** The mock: it returns any response of the document on request, and posts receipts. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import {
  answerExamples,
  type DocumentedOperation,
  operations,
  pathOf,
  requestsOf,
} from '../../spec/document.ts';
import { publishedSecrets } from '../../src/demo/published-secrets.ts';
import { type Prism, startMock } from '../support/document/prism.ts';
import { call } from '../support/service/api.ts';
import { type Receiver, startReceiver } from '../support/service/receiver.ts';

let mock: Prism;
let dynamic: Prism;

beforeAll(async () => {
  [mock, dynamic] = await Promise.all([startMock(), startMock(['--dynamic'])]);
});
afterAll(() => Promise.all([mock.stop(), dynamic.stop()]));

/** A published request that asks the mock for a certain response. */
function ask(prism: Prism, operation: DocumentedOperation, prefer?: string, body = firstBodyOf(operation)) {
  const { type } = requestsOf(operation);
  if (operation.requestBody === undefined)
    return call(prism.baseUrl, pathOf(operation), {
      method: operation.method.toUpperCase(),
      token: 'of-the-mock',
      headers: prefer === undefined ? {} : { prefer },
    });
  return call(prism.baseUrl, pathOf(operation), {
    method: operation.method.toUpperCase(),
    ...(operation.security?.length ? { token: 'of-the-mock' } : {}),
    body: type === 'application/json' ? body : new URLSearchParams(body as Record<string, string>).toString(),
    headers: { 'content-type': type, ...(prefer === undefined ? {} : { prefer }) },
  });
}

function firstBodyOf(operation: DocumentedOperation): unknown {
  return [...requestsOf(operation).examples.values()][0];
}

const named = operations.map((operation) => ({ operation, name: operation.operationId }));

describe('Prefer: code=…, example=…', () => {
  test('every response in the document has an example', () => {
    const shown = new Set(
      answerExamples().map(({ operation, status }) => `${operation.operationId} ${status}`),
    );
    const documented = operations.flatMap(({ operationId, responses }) =>
      Object.keys(responses).map((status) => `${operationId} ${status}`),
    );
    expect(documented.filter((one) => !shown.has(one))).toEqual([]);
  });

  test.each(
    answerExamples().map((one) => ({
      ...one,
      title: `${one.operation.operationId} ${one.status} ${one.name}`,
    })),
  )('$title', async ({ operation, status, name, value }) => {
    const answer = await ask(mock, operation, `code=${status}, example=${name}`);
    expect([String(answer.status), answer.body]).toEqual([status, value]);
    expect(answer.headers.get('sl-violations')).toBeNull();
  });
});

describe('without Prefer', () => {
  test.each(
    named.filter(({ operation }) => operation.requestBody === undefined),
  )('$name accepts a request without a body', async ({ operation }) => {
    expect((await ask(mock, operation)).status).toBe(200);
  });

  test.each(named)('$name accepts every published request', async ({ operation }) => {
    for (const body of requestsOf(operation).examples.values())
      expect((await ask(mock, operation, undefined, body)).status).toBe(200);
  });

  test.each(
    named.filter(({ operation }) => operation.security?.length && operation.requestBody !== undefined),
  )('$name returns 401 without a token, and the matching 400 for a wrong body', async ({ operation }) => {
    const first = (status: string) =>
      answerExamples().find((one) => one.operation === operation && one.status === status)?.value;
    const withoutToken = await call(mock.baseUrl, pathOf(operation), { body: firstBodyOf(operation) });
    expect([withoutToken.status, withoutToken.body]).toEqual([401, first('401')]);
    const wrong = await ask(mock, operation, undefined, { type: 'NoSuchMode' });
    expect([wrong.status, wrong.body]).toEqual([400, { desc: expect.stringContaining('/') }]);
  });
});

test.each(named)('$name with --dynamic: another response each time, generated from the schema', async ({
  operation,
}) => {
  const answers = [await ask(dynamic, operation), await ask(dynamic, operation)];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers[0]?.text).not.toBe(answers[1]?.text);
  // Lists and texts are not as long as the schema allows.
  expect(answers[0]?.text.length).toBeLessThan(50_000);
});

const sms = (body: object, prefer?: string, service = 'any-service') =>
  call(mock.baseUrl, `/message/${service}`, {
    token: 'of-the-mock',
    body: { type: 'SendToMany', message: 'Habari', addresses: ['0711000000'], ...body },
    headers: prefer === undefined ? {} : { prefer },
  });

describe('an invalid request gets the matching error', () => {
  test.each([
    ['an invalid number', { addresses: ['0711000000', 'x12'] }, 'Invalid phone numbers: x12'],
    [
      'a number without a channel',
      { addresses: ['+254300000000'] },
      'No channel for phone numbers: +254300000000',
    ],
    ['no recipients', { addresses: [] }, 'No valid recipients found.'],
    [
      'a private callback address',
      { receiptRequest: { callbackUrl: 'http://10.0.0.1/' } },
      'receiptRequest.callbackUrl must not name a private or reserved IP address.',
    ],
  ])('%s', async (_what, body, desc) => {
    expect(await sms(body)).toMatchObject({ status: 400, body: { desc } });
  });

  test('malformed JSON, an unknown path and a wrong grant type', async () => {
    const malformed = await call(mock.baseUrl, '/message/any', { token: 't', body: '{' });
    expect(malformed).toMatchObject({ status: 400, body: { desc: 'The request body is not valid JSON.' } });
    expect((await call(mock.baseUrl, '/nowhere', { token: 't', body: {} })).status).toBe(404);
    const grant = await call(mock.baseUrl, '/oauth/token', {
      body: 'grant_type=password&client_id=a&client_secret=b',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(grant).toMatchObject({ status: 400, body: { error: 'unsupported_grant_type' } });
  });

  test('a misspelt example, status or state', async () => {
    for (const [prefer, desc] of [
      ['code=400, example=insufficientUnit', 'has no example insufficientUnit. It has schemaViolation'],
      ['example=acepted', 'has no example acepted. It has accepted'],
      ['code=418', 'has no response with the status 418. It has 200'],
      ['receipt=Read', 'has no receipt with the state Read. It has Delivered'],
    ] as const)
      expect(await sms({}, prefer)).toMatchObject({
        status: 400,
        body: { desc: expect.stringContaining(desc) },
      });
  });

  test('the name of an example finds its status', async () => {
    expect(await sms({}, 'example=insufficientUnits')).toMatchObject({
      status: 400,
      body: { desc: expect.stringContaining('Insufficient units') },
    });
  });
});

test('counts are those of the request', async () => {
  const { body } = await sms({
    message: 'x'.repeat(161),
    addresses: ['0711000000', '0711000001', '0733000000'],
  });
  expect(body).toMatchObject({
    result: { units: { Safaricom: 4, Airtel: 2 }, addresses: { Safaricom: 2, Airtel: 1 } },
  });
});

test('a preview shows the text, units and parts of each recipient of the request', async () => {
  const { body } = await call(mock.baseUrl, '/message/any-service/preview', {
    token: 'of-the-mock',
    body: { type: 'SendToMany', message: 'x'.repeat(161), addresses: ['0711000000', 'x12'] },
  });
  expect(body).toMatchObject({
    sendable: false,
    units: { Safaricom: 2 },
    recipients: [
      { channel: 'Safaricom', text: 'x'.repeat(161), units: 2, encoding: 'GSM-7', parts: 2, problems: [] },
      { problems: [{ code: 'invalid-phones' }] },
    ],
  });
});

describe('receipts', () => {
  let receiver: Receiver;
  const webhook = new Webhook(publishedSecrets.signingSecret);
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  /** Verified by the Standard Webhooks library. */
  const receipts = async (path: string, count: number) =>
    (await receiver.received(path, count)).map(
      ({ text, headers }) =>
        webhook.verify(text, headers as Record<string, string>) as Record<string, unknown>,
    );
  const receiptRequest = (path: string) => ({ correlator: 'order-17', callbackUrl: receiver.url(path) });

  test('are those of the request, signed, and follow the last digits of each number', async () => {
    const { body } = await sms({
      addresses: ['0711000000', '0733000002'],
      receiptRequest: receiptRequest('/sms'),
    });
    const { requestId } = (body as { result: { requestId: string } }).result;
    const common = { type: 'SmsDeliveryReceipt', requestId, correlator: 'order-17', sequence: 1 };
    const received = await receipts('/sms', 2);
    expect(received.sort((one, other) => String(one.phone).localeCompare(String(other.phone)))).toMatchObject(
      [
        { ...common, phone: '+254711000000', deliveryStatus: 'Delivered' },
        { ...common, phone: '+254733000002', deliveryStatus: 'AbsentSubscriber' },
      ],
    );
  });

  test('of a chat-app message are Sent, Delivered and Read, in order', async () => {
    await call(mock.baseUrl, '/message/any/chatapp', {
      token: 't',
      body: {
        type: 'TemplateSendToMany',
        phoneNumberId: '106540352242922',
        templateId: 'chat-greeting',
        addresses: ['0711000000'],
        params: [{ type: 'BodyNamedParameter', name: 'name', value: 'Asha' }],
        receiptRequest: receiptRequest('/chat'),
      },
    });
    expect(
      (await receipts('/chat', 3)).map(({ sequence, deliveryStatus }) => [sequence, deliveryStatus]),
    ).toEqual([
      [1, 'Sent'],
      [2, 'Delivered'],
      [3, 'Read'],
    ]);
  });

  test('end in the state that Prefer names, also with --dynamic', async () => {
    await sms({ receiptRequest: receiptRequest('/failed') }, 'receipt=Failed');
    expect(await receipts('/failed', 1)).toMatchObject([{ deliveryStatus: 'Failed' }]);
    const { body } = await call(dynamic.baseUrl, '/message/any', {
      token: 't',
      body: {
        type: 'SendToMany',
        message: 'Habari',
        addresses: ['0711000000'],
        receiptRequest: receiptRequest('/dynamic'),
      },
    });
    const { requestId } = (body as { result: { requestId: string } }).result;
    expect(await receipts('/dynamic', 1)).toMatchObject([{ requestId, deliveryStatus: 'Delivered' }]);
  });
});
