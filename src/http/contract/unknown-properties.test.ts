/** What a schema tolerates without knowing it is listed, and refused where a known name was meant. */
import { expect, test } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { createUnknownFinder, headerOf } from './unknown-properties.ts';

const entry = (name: string) => ({ type: 'object', properties: { phone: {}, [name]: {} } });
const find = createUnknownFinder({
  oneOf: [
    {
      type: 'object',
      properties: {
        type: { const: 'open' },
        messages: { type: 'array', items: { anyOf: [entry('message'), entry('text')] } },
        receiptRequest: { type: 'object', properties: { correlator: {} }, additionalProperties: false },
      },
    },
    { type: 'object', properties: { type: { const: 'closed' } }, additionalProperties: false },
  ],
}) as NonNullable<ReturnType<typeof createUnknownFinder>>;

testEvery<[string, unknown, string[]]>([
  ['nothing unknown', { type: 'open', messages: [{ phone: '1', text: 'a' }] }, []],
  [
    'the body and an entry',
    { type: 'open', schedule: {}, messages: [{ sendAt: 1 }] },
    ['/schedule', '/messages/0/sendAt'],
  ],
  [
    'each property of the entries once',
    { type: 'open', messages: [{}, { a: 1 }, { a: 1, b: 1 }] },
    ['/messages/1/a', '/messages/2/b'],
  ],
  ['an escaped name', { type: 'open', 'a/b~': 1 }, ['/a~1b~0']],
  [
    'names of Object.prototype',
    JSON.parse('{"type":"open","__proto__":1,"constructor":1}'),
    ['/__proto__', '/constructor'],
  ],
  [
    'other names that begin like a known one',
    { type: 'open', receiptRequestId: 1, messages: [{ messageId: 1, messaged: 1 }] },
    ['/receiptRequestId', '/messages/0/messageId', '/messages/0/messaged'],
  ],
  ['another variant', { type: 'closed', schedule: {} }, []],
  ['what a closed part holds', { type: 'open', receiptRequest: { other: 1 } }, []],
  ...[null, 1, [], 'x', { type: 'open', messages: 1 }, { type: 'open', messages: [null] }].map(
    (body): [string, unknown, string[]] => [`a body of the wrong shape: ${JSON.stringify(body)}`, body, []],
  ),
])('%s', (_name, body, ignored) => {
  expect(find(body)).toEqual({ ignored });
});

testEvery([
  [{ type: 'open', receiptRequst: {} }, '/receiptRequst is not allowed: did you mean receiptRequest?'],
  [{ type: 'open', receipt_request: {} }, '/receipt_request is not allowed: did you mean receiptRequest?'],
  [{ type: 'open', receiptRequests: {} }, '/receiptRequests is not allowed: did you mean receiptRequest?'],
  [{ type: 'open', mesages: [] }, '/mesages is not allowed: did you mean messages?'],
  [
    { type: 'open', messages: [{}, { mesage: 'x' }] },
    '/messages/1/mesage is not allowed: did you mean message?',
  ],
])('a misspelling: %j', (body, misspelt) => {
  expect(find(body)).toMatchObject({ misspelt });
});

test('a body full of unknown names lists some of them', () => {
  const body = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`p${index}`, 1]));
  expect(find({ type: 'open', ...body }).ignored).toHaveLength(20);
});

test('a schema that tolerates nothing needs no look', () => {
  expect(
    createUnknownFinder({ type: 'object', properties: {}, additionalProperties: false }),
  ).toBeUndefined();
});

test('a header holds any name', () => {
  expect(headerOf(['/a b', '/x,y/0/ü\r\n'])).toBe('/a%20b, /x%2Cy/0/%C3%BC%0D%0A');
});
