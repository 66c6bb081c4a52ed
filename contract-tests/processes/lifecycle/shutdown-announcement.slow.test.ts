/** Before the service stops listening, whoever sends it requests can see that it will. */
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type SmsService, startSms, toMany } from '../../support/requests/sms.ts';
import { call } from '../../support/service/api.ts';

let sms: SmsService;

beforeAll(async () => {
  // Long enough to be looked at on a slow machine.
  sms = await startSms({ DRAIN_DELAY_MS: '6000' });
});
afterAll(() => sms?.service.dispose());

const readiness = () => call(sms.demo.baseUrl, '/readyz', { method: 'GET' });

/** The responses of /readyz after the signal, until one is not 200. */
async function notReady() {
  for (;;) {
    const answer = await readiness();
    if (answer.status !== 200) return answer;
  }
}

test('after SIGTERM /readyz returns 503 while requests are still served; then the process exits with 0', async () => {
  const { process: child } = sms.service;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const draining = await notReady();
  expect([draining.status, draining.body]).toEqual([503, { status: 'unavailable', reason: 'stopping' }]);

  // On the connections there are: a proxy that had to open new ones could be too late for the last.
  const sent = await sms.send(toMany(['+254711000000']));
  expect([sent.status, sent.headers.get('connection')]).toEqual([200, 'keep-alive']);
  expect((await call(sms.demo.baseUrl, '/healthz', { method: 'GET' })).status).toBe(200);

  expect(await ended).toEqual([0, null]);
  await expect(readiness()).rejects.toThrow('fetch failed');
});
