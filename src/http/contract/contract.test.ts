/** The contract layer serves any kind of operation: GET, query parameters, no body, 204, text. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import Koa from 'koa';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { documentOf } from '../../contract/document.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import { type Serving, serving } from '../../platform/serving-testing.ts';
import { createEvents } from '../../process/events.ts';
import { renderErrors } from '../errors.ts';
import { noteOrigin } from '../origin.ts';
import { type Contract, createContract } from './contract.ts';
import { type NotesDocument, notesHandlers, notesYaml } from './notes-testing.ts';
import { type Handlers, reply } from './operation.ts';

const faults: string[] = [];
const caller = { clientId: 'c', teamId: 't', scopes: ['note.read'] };
const createNotes = (yaml: string, handlers = notesHandlers, isFatal = true) =>
  createContract<NotesDocument>({
    document: documentOf(load(yaml) as never, () => yaml),
    handlers,
    authenticate: async () => caller,
    guard: { admitLogin: () => {}, admitBody: () => {} },
    checkedResponses: 1,
    onUndocumented: (operationId, fault) => {
      faults.push(`${operationId}: ${fault}`);
      if (isFatal) throw new Error('the document says otherwise');
    },
  });

const servers: Serving[] = [];
let base: string;
beforeAll(async () => {
  base = await serve(await createNotes(notesYaml));
});
afterAll(() => Promise.all(servers.map((server) => server.close())));

async function serve(contract: Contract): Promise<string> {
  const app = new Koa();
  const logger = pino({ level: 'silent' });
  app.use(noteOrigin(0));
  app.use(renderErrors(logger, createEvents(new Registry(), logger)));
  app.use(contract.serve);
  const server = await serving(app.callback());
  servers.push(server);
  return server.url;
}

interface RequestParts {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

async function ask(path: string, parts: RequestParts = {}, at = base) {
  const response = await fetch(`${at}${path}`, parts);
  const { status, headers } = response;
  return { status, text: await response.text(), headers };
}

const json = { 'Content-Type': 'application/json' };

test('200: query parameters reach the handler with the types and defaults of the document', async () => {
  const { status, text } = await ask('/notes?from=2026-01-31&limit=7&tag=a&tag=b');
  expect(status).toBe(200);
  expect(JSON.parse(text)).toEqual({ query: { from: '2026-01-31', limit: 7, tag: ['a', 'b'] } });

  const { text: withDefaults } = await ask('/notes?from=2026-01-31&tag=a');
  expect(JSON.parse(withDefaults)).toEqual({ query: { from: '2026-01-31', limit: 50, tag: ['a'] } });
});

testEvery([
  ['/notes', 'Query parameter from is required'],
  ['/notes?from=2026-01-31&limit=many', 'Query parameter limit must be an integer'],
  ['/notes?from=2026-01-31&limit=101', 'Query parameter limit must be at most 100'],
  ['/notes?from=2026-01-31&limit=1&limit=2', 'Query parameter limit must be an integer'],
  ['/notes?from=soon', 'Query parameter from must be a date such as 2026-01-31'],
  ['/notes?from=2026-01-31&form=1', 'Query parameter form is not allowed'],
  ['/notes?from=2026-01-31&tag[a]=1&tag[b]=2', 'Query parameter tag must be an array'],
])('400: GET %s: %s', async (path, desc) => {
  const { status, text } = await ask(path);
  expect({ status, body: JSON.parse(text) }).toEqual({ status: 400, body: { desc } });
});

test('400: a required header that is missing is named', async () => {
  const { status, text } = await ask('/notes/one', { method: 'DELETE' });
  expect({ status, body: JSON.parse(text) }).toEqual({
    status: 400,
    body: { desc: 'Header x-reason is required' },
  });
});

test('428: an If-Match that is required and missing', async () => {
  const at = await serve(await createNotes(notesYaml.replace('name: X-Reason', 'name: If-Match')));
  const { status, text } = await ask('/notes/one', { method: 'DELETE' }, at);
  const desc = 'The If-Match header is required: send the ETag of the resource that you read.';
  expect({ status, body: JSON.parse(text) }).toEqual({ status: 428, body: { desc } });
});

test('200: a query string is ignored where the document declares no query parameter', async () => {
  const { status, text } = await ask('/notes/one?limit=many');
  expect({ status, text }).toEqual({ status: 200, text: '{"text":"one"}' });
});

test('204: neither body nor content type', async () => {
  const put = await ask('/notes/one', { method: 'PUT', headers: json, body: '{"text":"x"}' });
  const gone = await ask('/notes/one', { method: 'DELETE', headers: { 'X-Reason': '1' } });
  for (const { status, text, headers } of [put, gone]) {
    expect({ status, text }).toEqual({ status: 204, text: '' });
    expect(headers.get('content-type')).toBeNull();
  }
});

test('202: an optional body can be omitted, and is validated if it is sent', async () => {
  const without = await ask('/notes/one/archive', { method: 'POST' });
  expect([without.status, without.headers.get('x-text'), without.text]).toEqual([202, 'none', '']);
  const sent = await ask('/notes/one/archive', { method: 'POST', headers: json, body: '{"text":"x"}' });
  expect([sent.status, sent.headers.get('x-text')]).toEqual([202, 'x']);
  const wrong = await ask('/notes/one/archive', { method: 'POST', headers: json, body: '{"text":7}' });
  expect([wrong.status, JSON.parse(wrong.text)]).toEqual([400, { desc: '/text must be a string' }]);
});

test('200: a handler chooses among the documented media types', async () => {
  const { text, headers } = await ask('/notes?from=2026-01-31&tag=csv');
  expect(text).toBe('text\nhello\n');
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
});

test('200: a text body reaches the handler as a string; other types are rejected', async () => {
  const path = '/notes/import';
  const read = await ask(path, { method: 'POST', headers: { 'Content-Type': 'text/csv' }, body: 'a\nb' });
  expect([read.status, read.text]).toEqual([200, '{"lines":2}']);
  const refused = await ask(path, { method: 'POST', headers: json, body: '{}' });
  expect(JSON.parse(refused.text)).toEqual({ desc: 'The content type must be text/csv.' });
});

test('200: HEAD is GET without its body; 405: other methods, with Allow', async () => {
  const head = await ask('/notes/one', { method: 'HEAD' });
  expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', '14']);
  const post = await ask('/notes/one', { method: 'POST' });
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, PUT, DELETE']);
});

testEvery([
  ['a body in a response without content', 204, { text: 'x' }, 'putNote: 204 has no body'],
  ['no body where one is documented', 400, undefined, 'putNote: 400  must be object'],
])('500: %s', async (_what, status, body, fault) => {
  faults.length = 0;
  const putNote: Handlers<NotesDocument>['putNote'] = async () => reply(status, body);
  const at = await serve(await createNotes(notesYaml, { ...notesHandlers, putNote }));
  const put = await ask('/notes/one', { method: 'PUT', headers: json, body: '{"text":"x"}' }, at);
  expect([put.status, faults]).toEqual([500, [fault]]);
});

testEvery<[string, number, object, unknown[]]>([
  ['a documented response', 200, { text: 'x' }, []],
  ['a body without a required property', 200, {}, [expect.stringMatching(/^getNote: 200 .*required/)]],
  [
    'a property that the document does not name',
    200,
    { text: 'x', more: 1 },
    [expect.stringMatching(/^getNote: 200 .*additional properties/)],
  ],
  ['a status that is not documented', 418, {}, ['getNote: status 418']],
])('%s is sent as it is, and told', async (_what, status, body, told) => {
  faults.length = 0;
  const getNote: Handlers<NotesDocument>['getNote'] = async () => reply(status, body);
  const at = await serve(await createNotes(notesYaml, { ...notesHandlers, getNote }, false));
  const got = await ask('/notes/one', {}, at);
  expect([got.status, JSON.parse(got.text), faults]).toEqual([status, body, told]);
});

test.each([
  ['text/csv: { schema: { type: string } }', 'text/csv: { schema: { type: string, maxLength: 5 } }'],
  ['text/csv: { schema: { type: string } }', 'image/png: { schema: { type: string } }'],
])('a request body without validation prevents the start: %s → %s', async (from, to) => {
  const yaml = notesYaml.replace(
    `requestBody: { required: true, content: { ${from}`,
    `requestBody: { required: true, content: { ${to}`,
  );
  await expect(createNotes(yaml)).rejects.toThrow(/^importNotes: request bodies of .* are not supported$/);
});
