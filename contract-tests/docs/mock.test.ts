/** The mock: it answers whatever the document shows when it is asked to, and posts receipts. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  answerExamples,
  type DocumentedOperation,
  examplesOf,
  operations,
  pathOf,
  requestsOf,
} from '../../spec/document.ts';
import { type Prism, startMock } from '../support/document/prism.ts';
import { call } from '../support/service/api.ts';

let mock: Prism;
let dynamic: Prism;

beforeAll(async () => {
  [mock, dynamic] = await Promise.all([startMock(), startMock(['--dynamic'])]);
});
afterAll(() => Promise.all([mock.stop(), dynamic.stop()]));

/** A published request, to which the mock is asked to answer something. */
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
    token: 'of-the-mock',
    body: type === 'application/json' ? body : new URLSearchParams(body as Record<string, string>).toString(),
    headers: { 'content-type': type, ...(prefer === undefined ? {} : { prefer }) },
  });
}

function firstBodyOf(operation: DocumentedOperation): unknown {
  return [...requestsOf(operation).examples.values()][0];
}

const named = operations.map((operation) => ({ operation, name: operation.operationId }));

describe('Prefer: code=…, example=…', () => {
  test('every answer of the document has an example', () => {
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
  )('$name takes a request without a body', async ({ operation }) => {
    expect((await ask(mock, operation)).status).toBe(200);
  });

  test.each(named)('$name takes every published request', async ({ operation }) => {
    for (const body of requestsOf(operation).examples.values())
      expect((await ask(mock, operation, undefined, body)).status).toBe(200);
  });

  test.each(
    named.filter(({ operation }) => operation.security?.length && operation.requestBody !== undefined),
  )('$name answers 401 without a token and the neutral 400 to a wrong body', async ({ operation }) => {
    const first = (status: string) =>
      answerExamples().find((one) => one.operation === operation && one.status === status)?.value;
    const withoutToken = await call(mock.baseUrl, pathOf(operation), { body: firstBodyOf(operation) });
    expect([withoutToken.status, withoutToken.body]).toEqual([401, first('401')]);
    const wrong = await ask(mock, operation, undefined, { type: 'NoSuchMode' });
    expect([wrong.status, wrong.body]).toEqual([400, first('400')]);
  });
});

test.each(named)('$name with --dynamic: another answer each time, by the schema', async ({ operation }) => {
  const answers = [await ask(dynamic, operation), await ask(dynamic, operation)];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers[0]?.text).not.toBe(answers[1]?.text);
});

const callbacks = operations.flatMap((operation) =>
  Object.values(operation.callbacks ?? {}).flatMap((callback) =>
    Object.entries(callback).flatMap(([address, { post }]) =>
      post === undefined ? [] : [{ operation, address, post, name: post.operationId }],
    ),
  ),
);

describe('callbacks', () => {
  test.each(callbacks)('$name is posted to a local listener', async ({ operation, address, post }) => {
    const listener = createServer();
    listener.unref().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    // All callbacks of an operation are posted to the same address.
    const expected = callbacks.filter((one) => one.operation === operation).length;
    const received = new Promise<unknown[]>((resolve) => {
      const bodies: unknown[] = [];
      listener.on('request', async (request, response) => {
        let text = '';
        for await (const chunk of request) text += chunk;
        response.writeHead(204).end();
        if (bodies.push(JSON.parse(text)) < expected) return;
        listener.close();
        resolve(bodies);
      });
    });
    expect(address).toBe('{$request.body#/receiptRequest/callbackUrl}');
    const receiptRequest = { correlator: 'sandbox-1', callbackUrl: `http://127.0.0.1:${port}/receipts` };
    const answer = await ask(mock, operation, undefined, {
      ...(firstBodyOf(operation) as object),
      receiptRequest,
    });
    expect(answer.status).toBe(200);
    const media = post.requestBody.content['application/json'];
    const examples = [...(media ? examplesOf(media).values() : [])];
    const bodies = await received;
    expect(examples.some((example) => bodies.some((body) => isDeepStrictEqual(body, example)))).toBe(true);
  });
});
