/** The test of each kind of connector: it passes, or says in plain words what is wrong. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { systemClock } from '../../platform/clock.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import { type Stub, type StubAnswer, startStub } from '../http/provider-testing.ts';
import { type Script, startScript } from '../smpp/script-testing.ts';
import { connectorKinds } from './kinds.ts';
import { checkSettings } from './settings.ts';

let script: Script;
let stub: Stub;
let answer: StubAnswer;
beforeAll(async () => {
  script = await startScript();
  stub = await startStub(() => answer);
});
afterAll(async () => {
  await script.close();
  await stub.close();
});

async function run(
  kind: 'smpp' | 'whatsapp' | 'bundles' | 'http-sms',
  settings: object,
  secrets: Record<string, string>,
) {
  const checked = checkSettings(connectorKinds[kind], settings as never);
  return connectorKinds[kind].test?.(checked, secrets, systemClock);
}

describe('smpp', () => {
  const settings = () => ({ host: '127.0.0.1', port: script.smsc.port, systemId: 'tarishi' });

  test('binds and parts', async () => {
    script.admission = 0;
    expect(await run('smpp', settings(), { password: 'secret' })).toBeUndefined();
    expect(script.admissions).toEqual(['tarishi/secret']);
    expect(script.received).toEqual([]);
  });

  test('says why the SMSC refuses to bind', async () => {
    script.admission = 0x0e;
    expect(await run('smpp', settings(), { password: 'secret' })).toBe(
      'the SMSC refused to bind: 0x0000000E: the password is wrong',
    );
  });

  test('says that nothing listens', async () => {
    const elsewhere = { host: '127.0.0.1', port: 1, systemId: 'tarishi' };
    expect(await run('smpp', elsewhere, { password: 'secret' })).toMatch(
      /^no connection to 127\.0\.0\.1:1: .*ECONNREFUSED/,
    );
  });
});

const wrongToken = { status: 401, body: { error: { code: 190, message: 'Invalid OAuth access token' } } };

testEvery<[what: string, kind: 'whatsapp' | 'bundles', answer: StubAnswer, problem: string | undefined]>([
  ['the account exists', 'whatsapp', { status: 200, body: { id: '1065' } }, undefined],
  ['the token is wrong', 'whatsapp', wrongToken, 'WhatsApp responded 401: Invalid OAuth access token'],
  ['the provider does not know the reference', 'bundles', { status: 404, body: {} }, undefined],
  [
    'the token is wrong',
    'bundles',
    { status: 401, body: {} },
    'the provider responded 401 when asked by reference',
  ],
])('%s (%s)', async (_what, kind, given, problem) => {
  answer = given;
  expect(await run(kind, { baseUrl: stub.url }, { token: 'canary' })).toBe(problem);
  expect(stub.received.at(-1)?.method).toBe('GET');
});

test.each(['whatsapp', 'bundles'] as const)('nothing listens (%s)', async (kind) => {
  expect(await run(kind, { baseUrl: 'http://127.0.0.1:1' }, { token: 'canary' })).toBe(
    'no connection to http://127.0.0.1:1: ECONNREFUSED',
  );
});

describe('http-sms', () => {
  const settings = (more: object = {}) => ({ baseUrl: stub.url, testPath: '/balance', ...more });
  const secrets = { apiKey: 'canary' };

  testEvery<[what: string, settings: object, answer: StubAnswer, problem: string | undefined]>([
    ['the account exists', {}, { status: 200, body: { balance: 7 } }, undefined],
    ['a request without a message is refused as one', {}, { status: 400 }, undefined],
    ['the key is wrong', {}, { status: 401 }, 'the provider responded 401'],
    [
      'the key is wrong, in words',
      {},
      { status: 403, body: { code: 'x', message: 'wrong key' } },
      'the provider responded 403: wrong key',
    ],
    ['without a path of its own any response will do', { testPath: undefined }, { status: 404 }, undefined],
    [
      'no token is issued',
      { authentication: 'clientCredentials', username: 'acme' },
      { status: 401 },
      'the provider responded 401 when asked for a token',
    ],
  ])('%s', async (_what, more, given, problem) => {
    answer = given;
    expect(await run('http-sms', settings(more), secrets)).toBe(problem);
  });

  test('nothing is submitted', async () => {
    answer = { status: 200 };
    stub.received.length = 0;
    await run('http-sms', settings(), secrets);
    expect(stub.received.map(({ method, url }) => [method, url])).toEqual([['GET', '/balance']]);
  });
});
