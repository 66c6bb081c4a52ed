/** A quiet night in the sandbox: promotional messages wait until morning, and nothing else does. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestSandbox, type TestSandbox } from '../sandbox-testing.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(() => sandbox.stop());

const dayMs = 24 * 3_600_000;
const ninePm = 18 * 3_600_000;
const phone = '+254711000000';

const now = async () => {
  const { body } = await sandbox.control('GET', '/sandbox/clock');
  return Date.parse((body as { now: string }).now);
};
const advance = (ms: number) =>
  sandbox.control('POST', '/sandbox/clock', { advance: `PT${Math.ceil(ms / 1_000)}S` });
/** Nairobi is three hours ahead of UTC all year. */
const untilNight = async () => advance((((ninePm - (await now())) % dayMs) + dayMs) % dayMs);
const send = (serviceId: string) =>
  sandbox.send(`/message/${serviceId}`, { type: 'SendToMany', addresses: [phone], message: serviceId });
const states = async () => {
  const { body } = await sandbox.control('GET', '/sandbox/messages');
  const { messages } = body as { messages: { text: string; state: string }[] };
  return Object.fromEntries(messages.map(({ text, state }) => [text, state]));
};

test('an offer of the night is delivered in the morning, a notice at once', async () => {
  expect((await sandbox.control('PUT', '/sandbox/quiet-hours', { countries: ['KE'] })).status).toBe(204);
  await untilNight();
  await send('demo-offers');
  await send('demo-sms');
  await advance(60_000);
  expect(await states()).toEqual({ 'demo-offers': 'Scheduled', 'demo-sms': 'Delivered' });
  await advance(10.9 * 3_600_000);
  expect(await states()).toMatchObject({ 'demo-offers': 'Scheduled' });
  await advance(10 * 60_000);
  expect(await states()).toMatchObject({ 'demo-offers': 'Delivered' });
});

test('without quiet hours, and after a reset, nothing waits', async () => {
  for (const disable of [
    () => sandbox.control('PUT', '/sandbox/quiet-hours', { countries: ['FR'] }),
    () => sandbox.control('POST', '/sandbox/reset'),
  ]) {
    await sandbox.control('PUT', '/sandbox/quiet-hours', { countries: ['KE'] });
    await disable();
    await untilNight();
    await send('demo-offers');
    await advance(1_000);
    expect(await states()).toMatchObject({ 'demo-offers': 'Delivered' });
  }
});

test('a country without hours is rejected', async () => {
  expect((await sandbox.control('PUT', '/sandbox/quiet-hours', { countries: ['XX'] })).status).toBe(400);
});
