/** How people read the log. */
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from '@jest/globals';
import { testEvery } from './for-every-testing.ts';
import { textOf } from './log-text.ts';

const time = new Date(2027, 0, 31, 7, 5, 9).getTime();
const read = (line: object) => stripVTControlCharacters(textOf(JSON.stringify({ level: 30, time, ...line })));

testEvery<[string, object, string]>([
  [
    'a request: what, outcome, caller',
    {
      requestId: 'r1',
      method: 'POST',
      operation: 'sendSms',
      status: 400,
      ms: 4.2,
      clientId: 'orders',
      error: 'invalid-phones',
      msg: 'request',
    },
    '07:05:09  POST sendSms 400 in 4.2 ms  requestId=r1  clientId=orders  error=invalid-phones\n',
  ],
  [
    'a request of no operation',
    { method: 'GET', status: 404, ms: 1, msg: 'request' },
    '07:05:09  GET 404 in 1 ms\n',
  ],
  [
    'a warning with its fields; those with spaces are quoted',
    { level: 40, connector: 'smsc', reason: 'no route', msg: 'connector paused itself' },
    '07:05:09  warning  connector paused itself  connector=smsc  reason="no route"\n',
  ],
  [
    'an error with its frames',
    {
      level: 50,
      err: { type: 'TypeError', message: 'x is null', frames: ['    at f (a.ts:1:2)'] },
      msg: 'failed',
    },
    '07:05:09  error  failed  TypeError: x is null\n    at f (a.ts:1:2)\n',
  ],
])('%s', (_what, line, text) => {
  expect(read(line)).toBe(text);
});

test('nothing in a line controls the terminal', () => {
  const text = read({ reason: 'a\u001b[2Jb\u009b31mc\nd', msg: 'x\u202ey' });
  expect(text.trimEnd()).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  expect(text.trim().split('\n')).toHaveLength(1);
});
