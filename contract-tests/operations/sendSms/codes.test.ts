/** The guard against SMS pumping: what it refuses, with which headers, what the preview says of it, and what confirmRequest changes. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { operationOf, pathOf, requestsOf } from '../../../spec/document.ts';
import { edit } from '../../support/management/caller.ts';
import { toMany } from '../../support/requests/sms.ts';
import { call, tokenFor } from '../../support/service/api.ts';
import { type InProcess, startInProcess } from '../../support/service/in-process.ts';

let service: InProcess;
let token: string;
beforeAll(async () => {
  service = await startInProcess();
  const { demo, operate } = service;
  await edit(operate, '/teams/demo', { pumpingGuard: 'Refuse' });
  await edit(operate, `/sms-services/${demo.smsServiceId}`, { purpose: 'AUTHENTICATION' });
  token = await tokenFor(demo.baseUrl, demo);
});
afterAll(() => service?.dispose());

const post = (path: string, body?: object) =>
  call(service.demo.baseUrl, path, { method: 'POST', token, body });
const send = (phones: string[], preview = '') =>
  post(`/message/${service.demo.smsServiceId}${preview}`, toMany(phones, 'Code 123456'));
const confirm = (requestId: string) => post(`/requests/${requestId}/confirm`);
const phonesOf = (count: number) => Array.from({ length: count }, (_, nth) => `+2547110000${nth + 10}`);
const refusal = (phones: string[]) =>
  `Too many codes to the countries or prefixes of these numbers are unconfirmed: ${phones.join(', ')}`;

test('429 beyond the limit, until some are confirmed; the preview says so, and counts nothing', async () => {
  const phones = phonesOf(21);
  const last = phones.slice(20);
  const problem = { code: 'codes-unconfirmed', desc: refusal(last) };
  expect((await send(phones, '/preview')).body).toMatchObject({ sendable: false, problems: [problem] });

  const refused = await send(phones);
  expect([refused.status, refused.headers.get('error-code'), refused.body]).toEqual([
    429,
    problem.code,
    { error: 'rate_limit_exceeded', error_description: problem.desc },
  ]);
  const seconds = Number(refused.headers.get('retry-after'));
  expect([seconds > 0, seconds <= 3_600]).toEqual([true, true]);

  const { requestId } = (await send(phones.slice(0, 20))).body.result;
  expect((await send(last)).status).toBe(429);
  const chatApp = operationOf('sendChatAppTemplate');
  const { fallback: _, ...code } = requestsOf(chatApp).examples.get('WithFallback') as Record<
    string,
    unknown
  >;
  expect((await post(pathOf(chatApp, {}), { ...code, addresses: last })).status).toBe(429);
  expect((await send(last, '/preview')).body).toMatchObject({
    sendable: false,
    problems: [],
    recipients: [{ problems: [problem] }],
  });

  const confirmed = [await confirm(requestId), await confirm(requestId)];
  expect(confirmed.map(({ status, body }) => [status, body])).toEqual(
    Array(2).fill([200, { requestId, confirmed: 20 }]),
  );
  expect((await send(last)).status).toBe(200);
});
