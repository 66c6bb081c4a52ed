/** What only a started process shows: the ids in its log, and the address of the console that it prints. */
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createBrowser } from '../../support/console/browser.ts';
import { sessionCookie } from '../../support/console/people.ts';
import { call, tokenFor } from '../../support/service/api.ts';
import { type Service, startService } from '../../support/service/service.ts';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.dispose());

test('the requestId is the X-Request-Id, unless the client chose that; then the log has both', async () => {
  const { baseUrl, smsServiceId } = service.demo;
  const token = await tokenFor(baseUrl, service.demo);
  const body = { type: 'SendToMany', addresses: ['+254711000000'], message: 'Habari' };
  const send = (headers: Record<string, string> = {}) =>
    call(baseUrl, `/message/${smsServiceId}`, { token, body, headers });
  const first = await send();
  expect(first.body.result.requestId).toBe(first.headers.get('x-request-id'));
  const second = await send({ 'x-request-id': 'my-own', 'idempotency-key': 'k1' });
  const { requestId } = second.body.result;
  expect(second.headers.get('x-request-id')).toBe('my-own');
  const again = await send({ 'idempotency-key': 'k1' });
  expect(again.body.result.requestId).toBe(requestId);
  for (const id of ['my-own', again.headers.get('x-request-id')])
    while (!service.output().includes(`"requestId":"${id}","acceptedId":"${requestId}"`))
      await setImmediate();
});

test('the console opens at the address that the start prints, with one click and no key in the log', async () => {
  const [, link = ''] = /^ {2}Console +(\S+)$/m.exec(service.output()) ?? [];
  const [address = ''] = link.split('/sign-in?');
  const browser = createBrowser();
  expect((await browser.go(link)).text).toContain('Open the demo');
  const key = new URL(link).searchParams.get('key') ?? '';
  const { status, next = '' } = await browser.go(`${address}/sign-in/demo`, { target: '/teams/demo', key });
  expect([status, next]).toEqual([303, `${address}/teams/demo`]);
  expect(await browser.go(next)).toMatchObject({
    status: 200,
    text: expect.stringContaining('The demo team'),
  });
  const accessKey = String(service.demo.accessKey);
  await createBrowser().go(`${address}/sign-in`, { accessKey });
  const id = browser.cookies(address).get(sessionCookie) ?? '';
  // The log names the user of a page.
  while (!/"method":"GET","status":200,"ms":[\d.]+,"userId":"demo-owner"/.test(service.output()))
    await setImmediate();
  for (const secret of [accessKey, id]) expect(service.output()).not.toContain(secret);
});
