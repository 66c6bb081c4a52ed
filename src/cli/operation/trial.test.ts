/** `tarishi send` against a running service: its exit codes, and what it says when nothing was accepted. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestSandbox, type TestSandbox } from '../../partner/sandbox/sandbox-testing.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import { trialCommands } from './trial.ts';

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(() => sandbox.stop());

const [sendCommand] = trialCommands;

/** As `tarishi send <phone> Habari` with the options given. */
function send(phone: string, more: Record<string, unknown> = {}) {
  const { baseUrl: url, clientId: client, clientSecret, serviceId: service } = sandbox.description;
  const values = { phone, text: 'Habari', param: [], url, client, 'client-secret': clientSecret, service };
  return sendCommand?.run({ ...values, ...more } as never, { config: { dataDirectory: '.' } } as never);
}

testEvery([
  ['+254711000000', {}, 0, 'Delivered'],
  ['+254711000002', {}, 3, 'AbsentSubscriber'],
  ['+254711000005', {}, 3, 'InvalidMsisdn'],
  ['+254711000008', { wait: 1 }, 4, 'Submitted'],
])('to %s with %j: exit code %i, %s', async (phone, more, exitCode, state) => {
  expect(await send(phone, more)).toMatchObject({ exitCode, one: { phone, state, units: 1 } });
});

test('a template with its parameters', async () => {
  const template = { text: undefined, template: 'order-shipped' };
  const param = ['name=Asha', 'order=4711', 'code=K7P2'];
  expect(await send('+254711000000', { ...template, param })).toMatchObject({ exitCode: 0 });
  await expect(send('+254711000000', { ...template, param: ['name=Asha'] })).rejects.toThrow(
    /^400 .*\n.*Missing required parameter 'order'.*\nSee http:.*\/docs\/errors\//s,
  );
  await expect(send('+254711000000', { ...template, param: ['name=A', 'name=B'] })).rejects.toThrow(
    'give each --param once',
  );
});

test('a request that is rejected says why, and where to read on', async () => {
  await expect(send('+254711')).rejects.toThrow(
    `400 Invalid phone numbers: +254711\nSee ${sandbox.description.baseUrl}/docs/errors/invalid-phones`,
  );
  await expect(send('+254711000000', { client: 'nobody' })).rejects.toThrow(/^401 /);
});

test('a service that does not respond', async () => {
  const url = 'http://127.0.0.1:1';
  await expect(send('+254711000000', { url })).rejects.toThrow(
    `${url} does not respond: is the service running?`,
  );
});
