/** An undocumented response: it is reported, and still sent to the client. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import Koa from 'koa';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { loadDocument } from '../../contract/document.ts';
import { createEvents } from '../../process/events.ts';
import { renderErrors } from '../errors.ts';
import { noteOrigin } from '../origin.ts';
import { createContract } from './contract.ts';
import { type Handlers, reply } from './operation.ts';

const token = { access_token: 'a.b.c', token_type: 'Bearer', expires_in: 3600, scope: '' };

let server: Server;
let faults: string[];
let answered: { status: number; body: unknown };
let onUndocumented: (operationId: string, fault: string) => void;

beforeEach(async () => {
  faults = [];
  onUndocumented = (operationId, fault) => faults.push(`${operationId}: ${fault}`);
  const contract = await createContract({
    document: loadDocument(),
    handlers: {
      issueToken: async () => reply(answered.status as 200, answered.body),
    } as unknown as Handlers,
    authenticate: () => Promise.reject(new Error('nobody calls')),
    guard: { admitLogin: () => {}, admitBody: () => {} },
    checkedResponses: 1,
    onUndocumented: (...told) => onUndocumented(...told),
  });
  const app = new Koa();
  const logger = pino({ level: 'silent' });
  app.use(noteOrigin(0));
  app.use(renderErrors(logger, createEvents(new Registry(), logger)));
  app.use(contract.serve);
  server = createServer(app.callback());
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function ask(): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'a', client_secret: 'b' }),
  });
  return { status: response.status, body: await response.json() };
}

test.each([
  ['a documented response', 200, token, []],
  [
    'a body without a required field',
    200,
    { token_type: 'Bearer' },
    [expect.stringMatching(/^issueToken: 200 .*required/)],
  ],
  [
    'a property that the document does not name',
    200,
    { ...token, more: 1 },
    [expect.stringMatching(/^issueToken: 200 .*additional properties/)],
  ],
  ['an undocumented status', 418, token, ['issueToken: status 418']],
])('%s leaves as it is', async (_what, status, body, told) => {
  answered = { status, body };
  expect(await ask()).toEqual({ status, body });
  expect(faults).toEqual(told);
});

test('500 if the listener throws', async () => {
  onUndocumented = () => {
    throw new Error('the document says otherwise');
  };
  answered = { status: 200, body: {} };
  expect(await ask()).toMatchObject({ status: 500, body: { error: 'server_error' } });
});
