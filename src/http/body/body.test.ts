/** Which bodies are read, up to which length, and what is said of the others. */
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { formLimitBytes, jsonBodyLimitBytes } from '../bounds.ts';
import { readBody } from './body.ts';
import { createBodyBudget } from './body-budget.ts';

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';

interface Sent {
  type?: string;
  headers?: Record<string, string>;
  /** Whether the headers say how long it is. */
  announced?: boolean;
  endsEarly?: boolean;
}

function read(body: string | Buffer, { type = json, headers = {}, announced = true, endsEarly }: Sent = {}) {
  const length = String(Buffer.byteLength(body));
  const stream = Object.assign(new PassThrough(), {
    httpVersion: '1.1',
    headers: { 'content-type': type, ...(announced ? { 'content-length': length } : {}), ...headers },
  });
  const budget = createBodyBudget(10 * jsonBodyLimitBytes, 1);
  const res = new EventEmitter() as ServerResponse;
  const exchange = { req: stream as unknown as IncomingMessage, res, state: {} };
  stream.write(body, () => (endsEarly ? stream.destroy() : stream.end()));
  return readBody(exchange, [json, form, 'text/plain'], { json: budget, form: budget }, 'acme');
}

describe.each([true, false])('a length that is announced: %s', (announced) => {
  test('a JSON body of exactly 1 MiB is read, and one byte more is too large', async () => {
    const text = 'x'.repeat(jsonBodyLimitBytes - 2);
    expect(await read(`"${text}"`, { announced })).toBe(text);
    await expect(read(`"${text}x"`, { announced })).rejects.toMatchObject({
      status: 400,
      desc: 'The request body is larger than 1048576 bytes.',
    });
  });

  test('so is a form of exactly 8 KiB', async () => {
    const value = 'x'.repeat(formLimitBytes - 2);
    expect(await read(`a=${value}`, { type: form, announced })).toEqual({ a: value });
    const desc = 'The request body is larger than 8192 bytes.';
    await expect(read(`a=${value}x`, { type: form, announced })).rejects.toMatchObject({ status: 400, desc });
  });
});

const notTaken =
  'The content type must be application/json or application/x-www-form-urlencoded or text/plain.';
const notStored = 'The request body contains a NUL character or an unpaired surrogate.';
testEvery<[desc: string, body: string | Buffer, sent: Sent]>([
  [notTaken, '{}', { type: '' }],
  [notTaken, '{}', { type: 'text/html' }],
  [notTaken, '{}', { type: 'application/json; charset=latin1' }],
  ['A compressed request body is not accepted.', '{}', { headers: { 'content-encoding': 'gzip' } }],
  ['The request body ended early.', '{"type":', { endsEarly: true }],
  ['The request body is not valid UTF-8.', Buffer.from([0x22, 0xff, 0x22]), {}],
  ...['{"type":', '', '{}{}', '\ufeff{}', '{"type":"\0"}'].map((body): [string, string, Sent] => [
    'The request body is not valid JSON.',
    body,
    {},
  ]),
  [notStored, '"\\u0000"', {}],
  [notStored, 'a=%00', { type: form }],
  [notStored, 'a\0b', { type: 'text/plain' }],
  ['A parameter is repeated.', 'scope=a&grant_type=x&scope=b', { type: form }],
])('400 %s', async (desc, body, sent) => {
  await expect(read(body, sent)).rejects.toMatchObject({ status: 400, desc });
});

test('a parameter of a form that is empty is as one that is absent', async () => {
  expect(await read('scope=&grant_type=x', { type: form })).toEqual({ grant_type: 'x' });
});
