/** Errors name themselves for programs: `Error-Code`, and a `Link` to the page that explains them. */
import { beforeAll, expect, test } from '@jest/globals';
import { type SmsCaller, sharedSms, toMany } from '../../support/requests/sms.ts';
import { call } from '../../support/service/api.ts';

let sms: SmsCaller;
beforeAll(async () => {
  sms = await sharedSms();
});

const refused: [status: number, code: string, ask: () => ReturnType<SmsCaller['send']>][] = [
  [400, 'invalid-phones', () => sms.send(toMany(['12']))],
  [400, 'schema-violation', () => sms.send({})],
  [401, 'missing-token', () => sms.send(toMany(['+254711000000']), { token: undefined })],
  [401, 'invalid-token', () => sms.send(toMany(['+254711000000']), { token: 'wrong' })],
  [404, 'service-unknown', () => sms.send(toMany(['+254711000000']), { serviceId: 'unknown' })],
  [404, 'no-route', () => call(sms.demo.baseUrl, '/nowhere', { method: 'GET' })],
  [405, 'method-not-allowed', () => call(sms.demo.baseUrl, '/oauth/token', { method: 'GET' })],
];

test.each(refused)('%i %s', async (status, code, ask) => {
  const response = await ask();
  const page = `/docs/errors/${code}`;
  expect(response.status).toBe(status);
  expect(response.headers.get('error-code')).toBe(code);
  expect(response.headers.get('link')).toBe(`<${page}>; rel="help"`);
  expect((await fetch(`${sms.demo.baseUrl}${page}`)).status).toBe(200);
});

test('a successful response has neither header', async () => {
  const { status, headers } = await sms.send(toMany(['+254711000000']));
  expect(status).toBe(200);
  expect(headers.get('error-code')).toBeNull();
  expect(headers.get('link')).toBeNull();
});
