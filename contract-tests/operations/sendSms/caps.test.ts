/** Caps and destinations of a client: what is refused, with which headers, and what the preview says of it. */
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
  const limits = { caps: { day: 3 }, destinations: { allow: ['KE'], deny: ['+254739'] } };
  await edit(operate, `/clients/${demo.clientId}`, limits);
  token = await tokenFor(demo.baseUrl, demo);
});
afterAll(() => service?.dispose());

const send = (phones: string[], preview = '') =>
  call(service.demo.baseUrl, `/message/${service.demo.smsServiceId}${preview}`, {
    method: 'POST',
    token,
    body: toMany(phones, 'Habari'),
  });

test('429 at the cap, with the seconds until the next day; the preview says so, and counts nothing', async () => {
  const two = ['+254711000000', '+254722000000'];
  const problem = { code: 'cap-reached', desc: 'The cap of the client of 3 unit(s) per day is reached.' };
  expect((await send(two, '/preview')).body).toMatchObject({ sendable: true, problems: [] });
  expect((await send(two)).status).toBe(200);
  expect((await send(two, '/preview')).body).toMatchObject({
    sendable: false,
    problems: [problem],
  });
  const refused = await send(two);
  expect([refused.status, refused.headers.get('error-code'), refused.body]).toEqual([
    429,
    problem.code,
    { error: 'rate_limit_exceeded', error_description: problem.desc },
  ]);
  const seconds = Number(refused.headers.get('retry-after'));
  expect([seconds > 0, seconds <= 86_400]).toEqual([true, true]);
  expect((await send(two.slice(0, 1))).status).toBe(200);
});

test.each([
  'disburseMobileData',
  'sendChatAppTemplate',
])('429 of %s too: a cap is of all products', async (id) => {
  const operation = operationOf(id);
  const [body] = requestsOf(operation).examples.values();
  const refused = await call(service.demo.baseUrl, pathOf(operation, {}), { token, body });
  expect([refused.status, refused.headers.get('error-code')]).toEqual([429, 'cap-reached']);
});

test('400 for a destination that the client has not; the preview says so for the recipient', async () => {
  const phones = ['+254711000000', '+254739000000'];
  const desc = 'Destinations not allowed: +254739000000';
  expect(await send(phones)).toMatchObject({ status: 400, body: { desc } });
  const { body } = await send(phones, '/preview');
  expect(body.recipients.map(({ problems }: { problems: object[] }) => problems)).toEqual([
    [],
    [{ code: 'destination-not-allowed', desc }],
  ]);
});
