/** What operations refuse alike: forms of the body and keys where something is sent, bad tokens and our own faults everywhere. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type DocumentedOperation,
  operations,
  requestsOf,
  secured,
  sending,
} from '../../../spec/document.ts';
import { askAsPublished } from '../../support/requests/published.ts';
import { type Answer, type CallOptions, call } from '../../support/service/api.ts';
import { startDemoClient } from '../../support/service/demo-client.ts';
import type { Service } from '../../support/service/service.ts';
import { withStoredData } from '../../support/service/stored-data.ts';

const named = (some: readonly DocumentedOperation[]) =>
  some.map((operation) => ({ operation, name: operation.operationId }));

let service: Service;
let token: string;

beforeAll(async () => {
  ({ service, token } = await startDemoClient({
    RATE_LIMIT_PER_SECOND: '1000000',
    READ_RATE_LIMIT_PER_SECOND: '1',
  }));
});
afterAll(() => service?.dispose());

/** A published request of the operation, as the demo client. */
const ask = (operation: DocumentedOperation, options: CallOptions = {}): Promise<Answer> =>
  askAsPublished(service.demo.baseUrl, operation, { token, ...options });

const json = { 'content-type': 'application/json' };
const invalidKey = 'Idempotency-Key must have 1 to 255 printable ASCII characters.';
const refusals: [desc: string, options: CallOptions][] = [
  [
    'The content type must be application/json.',
    { body: 'type=SendToMany', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  ],
  [
    'A compressed request body is not accepted.',
    { body: '{}', headers: { ...json, 'content-encoding': 'gzip' } },
  ],
  ['The request body is larger than 1048576 bytes.', { body: `"${'x'.repeat(1_048_576)}"`, headers: json }],
  ['The request body is not valid UTF-8.', { body: new Uint8Array([0x22, 0xff, 0x22]), headers: json }],
  ['The request body is not valid JSON.', { body: '{"type":', headers: json }],
  [
    'The request body is nested deeper than 20 levels.',
    { body: '['.repeat(21) + ']'.repeat(21), headers: json },
  ],
  [
    'The request body has more than 100000 objects, lists and properties.',
    { body: `[${Array(100_000).fill('{}').join(',')}]`, headers: json },
  ],
  [
    'An object of the request body has more than 1000 properties.',
    { body: `{${Array.from({ length: 1_001 }, (_, index) => `"${index}":1`).join(',')}}`, headers: json },
  ],
  [
    'The request body contains a NUL character or an unpaired surrogate.',
    { body: '{"type":"\\u0000"}', headers: json },
  ],
  [invalidKey, { headers: { 'idempotency-key': 'x'.repeat(256) } }],
];

describe.each(named(sending))('$name', ({ operation }) => {
  test.each(refusals)('400 %s', async (desc, options) => {
    const answer = await ask(operation, options);
    expect([answer.status, answer.body]).toEqual([400, { desc }]);
  });

  test('409 A request with this Idempotency-Key is still running, and 200 once', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(operation, { headers })));
    const bodies = new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text));
    expect(bodies.size).toBe(1);
    const running = answers.filter(({ status }) => status !== 200);
    expect(running.length).toBeGreaterThan(0);
    for (const { status, body } of running)
      expect([status, body]).toEqual([
        409,
        { desc: 'A request with this Idempotency-Key is still running.' },
      ]);
  });

  test('409 This Idempotency-Key was used with another request.', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const [first, second] = [...requestsOf(operation).examples.values()];
    expect((await ask(operation, { headers, body: first })).status).toBe(200);
    const answer = await ask(operation, { headers, body: second });
    expect([answer.status, answer.body]).toEqual([
      409,
      { desc: 'This Idempotency-Key was used with another request.' },
    ]);
  });
});

describe.each(named(secured))('$name', ({ operation }) => {
  test('401 The bearer token is invalid or has expired.', async () => {
    const answer = await ask(operation, { token: `${token}x` });
    expect([answer.status, answer.body]).toEqual([
      401,
      { desc: 'The bearer token is invalid or has expired.' },
    ]);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
  });
});

test.each(
  named(secured.filter(({ path }) => path.includes('{'))),
)('404 Resource not found. — $name, with an invalid id', async ({ operation }) => {
  const method = operation.method.toUpperCase();
  const target = operation.path.replace(/\{\w+\}/g, 'a.b');
  const body = method === 'GET' ? undefined : {};
  const answer = await call(service.demo.baseUrl, target, { method, token, body });
  expect([answer.status, answer.body]).toEqual([404, { desc: 'Resource not found.' }]);
});

test.each(
  named(secured),
)('429 Too many requests were rejected. Try again later. — $name, after a hundred wrong tokens', async ({
  operation,
}) => {
  let refused: Answer | undefined;
  while (refused === undefined) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => ask(operation, { token: `${token}x` })),
    );
    refused = answers.find(({ status }) => status === 429);
  }
  expect(refused.body).toEqual({
    error: 'rate_limit_exceeded',
    error_description: 'Too many requests were rejected. Try again later.',
  });
});

const calls = secured.filter(({ operationId }) => !/^(send|disburse|preview)/.test(operationId));

test.each(named(calls))('429 The limit of <n> requests per second is exceeded. — $name', async ({
  operation,
}) => {
  let refused: Answer | undefined;
  while (refused === undefined) {
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask(operation)));
    refused = answers.find(({ status }) => status === 429);
  }
  expect(refused.headers.get('retry-after')).toBe('1');
  const limit = operation.operationId === 'testReceipt' ? 5 : 1;
  expect(refused.body).toEqual({
    error: 'rate_limit_exceeded',
    error_description: `The limit of ${limit} requests per second is exceeded.`,
  });
});

/** Breaks the database in a way that the next process meets; tokens stay valid. */
async function restartedAfter(statement: string): Promise<void> {
  await service.stop();
  await withStoredData(service, (knex) => knex.raw(statement));
  await service.restart();
}

/** A request of the operation that reaches the table of clients. */
function askAboutClients(operation: DocumentedOperation): Promise<Answer> {
  const { type } = requestsOf(operation);
  return ask(operation, {
    headers: {
      'x-request-id': 'a-fault-of-ours',
      ...(operation.requestBody === undefined ? {} : { 'content-type': type }),
    },
    ...(operation.security?.length
      ? {}
      : { body: 'grant_type=client_credentials&client_id=demo&client_secret=x', token: undefined }),
  });
}

test('500 Internal error, with the id of the request and no more, of every operation', async () => {
  await restartedAfter('alter table clients rename to lost_clients');
  for (const operation of operations) {
    const answer = await askAboutClients(operation);
    const sentence = 'Internal error. Quote request a-fault-of-ours when you report it.';
    expect([answer.status, answer.body.desc ?? answer.body.error_description]).toEqual([500, sentence]);
  }
  await service.stop();
  // One line at once, and one with the count of the others.
  expect(service.output().match(/"msg":"request failed"/g)).toHaveLength(2);
  expect(service.output()).toContain(`"repeated":${operations.length - 1}`);
});

test('503 The service is temporarily unavailable. Try again later. — every operation while the database is away', async () => {
  // As a PostgreSQL that starts: what a connection gets then, each query gets from this view.
  await restartedAfter(
    `create function away() returns boolean language plpgsql as
       $$ begin raise 'the database system is starting up' using errcode = 'cannot_connect_now'; end $$;
     create view clients as select * from lost_clients where away()`,
  );
  for (const operation of operations) {
    const answer = await askAboutClients(operation);
    const sentence = 'The service is temporarily unavailable. Try again later.';
    expect([answer.status, answer.body.desc ?? answer.body.error_description]).toEqual([503, sentence]);
    expect(answer.headers.get('retry-after')).toBe('5');
  }
  await service.stop();
  expect(service.output().split('"msg":"database unreachable: ').length).toBeLessThanOrEqual(3);
  expect(service.output().split('"msg":"request failed"')).toHaveLength(3);
});
