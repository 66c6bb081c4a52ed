/** The sandbox as clients and their tests use it: scripts, time travel, inspection, faults and reset. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { npmSmpp, type PeerPdu } from '../../connectors/smpp/peers/npm-smpp-testing.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import { type Receiver, startReceiver, startTestSandbox, type TestSandbox } from './sandbox-testing.ts';

let sandbox: TestSandbox;
let receiver: Receiver;

beforeAll(async () => {
  sandbox = await startTestSandbox({ smppPort: 0 });
  receiver = await startReceiver(sandbox.description.signingSecret);
});
afterEach(async () => {
  receiver.respond(204);
  await sandbox.control('POST', '/sandbox/reset');
  receiver.received.length = 0;
});
afterAll(async () => {
  await receiver.close();
  await sandbox.stop();
});

const sms = (...phones: string[]) => ({
  type: 'SendToMany',
  addresses: phones,
  message: 'Habari',
  receiptRequest: { correlator: 'order-17', callbackUrl: receiver.url },
});
const sendSms = (phone: string, headers?: Record<string, string>) =>
  sandbox.send(`/message/${sandbox.description.serviceId}`, sms(phone), headers);
const states = () => receiver.received.map(({ deliveryStatus }) => deliveryStatus);
const advance = (duration: string) => sandbox.advance(duration);
const list: TestSandbox['list'] = (what) => sandbox.list(what);

test('a message is delivered, its receipt is verified, and both are listed', async () => {
  expect((await sendSms('+254711000000')).status).toBe(200);
  await advance('PT1S');
  expect(states()).toEqual(['Delivered']);
  expect(await list('messages')).toMatchObject([
    { product: 'Sms', phone: '+254711000000', text: 'Habari', state: 'Delivered', units: 1 },
  ]);
  expect(await list('receipts')).toMatchObject([
    { url: receiver.url, receipt: { deliveryStatus: 'Delivered' }, outcome: '204' },
  ]);
  expect((await list('requests')).map(({ operation, status }) => [operation, status])).toEqual([
    ['issueToken', 200],
    ['sendSms', 200],
  ]);
  for (const what of ['messages', 'receipts', 'requests'] as const) {
    expect((await sandbox.control('DELETE', `/sandbox/${what}`)).status).toBe(204);
    expect(await list(what)).toEqual([]);
  }
});

describe('time', () => {
  test('72 hours of silence end a message as uncertain', async () => {
    await sendSms('+254711000008');
    await advance('PT71H59M');
    expect(states()).toEqual([]);
    await advance('PT2M');
    expect(states()).toEqual(['DeliveryUncertain']);
  });

  test('a scheduled message is sent when its time comes', async () => {
    const schedule = { sendAt: new Date(Date.now() + 24 * 3_600_000).toISOString() };
    await sandbox.send(`/message/${sandbox.description.serviceId}`, { ...sms('+254711000000'), schedule });
    await advance('PT23H59M');
    expect(await list('messages')).toMatchObject([{ state: 'Scheduled' }]);
    await advance('PT1M30S');
    expect(states()).toEqual(['Delivered']);
  });

  test('a token expires, and an idempotency key too', async () => {
    const key = { 'Idempotency-Key': 'order-17' };
    const first = (await sendSms('+254711000000', key)).body as { result: { requestId: string } };
    expect((await sendSms('+254711000000', key)).body).toEqual(first);
    const { authorization } = (await list('requests')).at(-1)?.headers as { authorization: string };
    await advance('P2D');
    expect((await sendSms('+254711000000', { authorization })).status).toBe(401);
    const later = (await sendSms('+254711000000', key)).body as { result: { requestId: string } };
    expect(later.result.requestId).not.toBe(first.result.requestId);
  });

  test('an offer of a quiet night is delivered in the morning, a notice at once', async () => {
    const quiet = (...countries: string[]) => sandbox.control('PUT', '/sandbox/quiet-hours', { countries });
    const send = (serviceId: string) =>
      sandbox.send(`/message/${serviceId}`, {
        ...{ type: 'SendToMany', addresses: ['+254711000000'], message: serviceId },
      });
    const stateOf = async (serviceId: string) =>
      (await list('messages')).find(({ text }) => text === serviceId)?.state;
    /** Nairobi is three hours ahead of UTC all year. */
    const untilNight = async () => {
      const { now } = (await sandbox.control('GET', '/sandbox/clock')).body as { now: string };
      const secondsOfDay = Math.ceil(Date.parse(now) / 1_000) % 86_400;
      await advance(`PT${(18 * 3_600 - secondsOfDay + 86_400) % 86_400}S`);
    };
    expect([(await quiet('KE')).status, (await quiet('XX')).status]).toEqual([204, 400]);
    await untilNight();
    await send('demo-offers');
    await send('demo-sms');
    await advance('PT10H55M');
    expect([await stateOf('demo-offers'), await stateOf('demo-sms')]).toEqual(['Scheduled', 'Delivered']);
    await advance('PT10M');
    expect(await stateOf('demo-offers')).toBe('Delivered');
    const isSentAtNight = async () => {
      await sandbox.control('DELETE', '/sandbox/messages');
      await untilNight();
      await send('demo-offers');
      await advance('PT1S');
      expect(await stateOf('demo-offers')).toBe('Delivered');
    };
    await quiet('FR');
    await isSentAtNight();
    await quiet('KE');
    await sandbox.control('POST', '/sandbox/reset');
    await isSentAtNight();
  });
});

describe('a number script', () => {
  const phone = '+254711000017';

  test('is set for a number whose plus is encoded', async () => {
    const encoded = `/sandbox/numbers/${encodeURIComponent(phone)}`;
    expect((await sandbox.control('PUT', encoded, { steps: [] })).status).toBe(204);
    expect((await sandbox.control('GET', '/sandbox/numbers')).body).toEqual({ [phone]: { steps: [] } });
    expect((await sandbox.control('DELETE', encoded)).status).toBe(204);
  });

  test('throttles, delivers late and repeats reports: the client gets one receipt', async () => {
    const steps = [
      { step: 'throttle', times: 2 },
      { step: 'report', state: 'Delivered', after: 'PT30S', times: 2 },
      { step: 'report', state: 'Failed', after: 'P2D' },
    ];
    expect((await sandbox.control('PUT', `/sandbox/numbers/${phone}`, { steps })).status).toBe(204);
    expect((await sandbox.control('GET', '/sandbox/numbers')).body).toEqual({ [phone]: { steps } });
    await sendSms(phone);
    await advance('PT10S');
    expect(states()).toEqual([]);
    await advance('PT30S');
    expect(states()).toEqual(['Delivered']);
    await advance('P3D');
    expect(states()).toEqual(['Delivered']);
  });

  test('applies to the SMSC too', async () => {
    const steps = [{ step: 'reject', state: 'InvalidMsisdn' }];
    await sandbox.control('PUT', `/sandbox/numbers/${phone}`, { steps });
    const session = npmSmpp.connect({ url: `smpp://127.0.0.1:${sandbox.smppPort}` }, () => {});
    await new Promise<PeerPdu>((resolve) =>
      session.bind_transceiver({ system_id: 'any', password: 'any' }, resolve),
    );
    const submit = (to: string) =>
      new Promise<PeerPdu>((resolve) =>
        session.submit_sm({ source_addr: 'TRIAL', destination_addr: to, short_message: 'Habari' }, resolve),
      );
    const answers = [await submit('254711000017'), await submit('254711000018')];
    expect(answers.map(({ command_status }) => command_status)).toEqual([0x0b, 0]);
    session.destroy();
  });
});

describe('a fault', () => {
  const add = (fault: object) => sandbox.control('POST', '/sandbox/faults', fault);

  test('lostResponse: the request is accepted, and its response is lost', async () => {
    await add({ kind: 'lostResponse', operation: 'sendSms', times: 1 });
    await expect(sendSms('+254711000000', { 'Idempotency-Key': 'lost' })).rejects.toThrow();
    expect(await list('messages')).toHaveLength(1);
    expect((await sendSms('+254711000000', { 'Idempotency-Key': 'lost' })).status).toBe(200);
    expect(await list('messages')).toHaveLength(1);
    expect(await list('faults')).toMatchObject([{ fault: { kind: 'lostResponse' }, occurred: 1 }]);
  });

  test('cutConnection: nothing is accepted', async () => {
    await add({ kind: 'cutConnection', operation: 'sendSms' });
    await expect(sendSms('+254711000000')).rejects.toThrow();
    expect(await list('messages')).toEqual([]);
  });

  test.each([
    ['tooManyRequests', 429],
    ['serverError', 500],
    ['expiredToken', 401],
  ])('%s: %i, once', async (kind, status) => {
    await add({ kind, operation: 'sendSms', times: 1 });
    expect((await sendSms('+254711000000')).status).toBe(status);
    expect((await sendSms('+254711000000')).status).toBe(200);
    expect(await list('messages')).toHaveLength(1);
  });

  test('duplicateReceipt: posted twice with the same id', async () => {
    await add({ kind: 'duplicateReceipt', times: 1 });
    await sendSms('+254711000000');
    await advance('PT1S');
    expect(states()).toEqual(['Delivered', 'Delivered']);
    const ids = (await list('receipts')).map(
      ({ headers }) => (headers as Record<string, string>)['webhook-id'],
    );
    expect(new Set(ids).size).toBe(1);
  });

  test('wronglySignedReceipt: rejected, and posted again with the right signature', async () => {
    const forged = receiver.forged();
    await add({ kind: 'wronglySignedReceipt', times: 1 });
    await sendSms('+254711000000');
    await advance('PT1S');
    expect([receiver.forged() - forged, states()]).toEqual([1, []]);
    await advance('PT10S');
    expect(states()).toEqual(['Delivered']);
  });

  test('unknownReceiptField and unknownReceiptState: signed like any other', async () => {
    await add({ kind: 'unknownReceiptField', times: 1 });
    await sendSms('+254711000000');
    await advance('PT1S');
    await add({ kind: 'unknownReceiptState', times: 1 });
    await sendSms('+254711000000');
    await advance('PT1S');
    expect(receiver.received).toMatchObject([
      { deliveryStatus: 'Delivered', sandboxField: 'unknown' },
      { deliveryStatus: 'SandboxState' },
    ]);
  });

  test('reorderedReceipt: posted after the next one', async () => {
    await add({ kind: 'reorderedReceipt', times: 1 });
    await sandbox.send(`/message/${sandbox.description.serviceId}`, sms('+254711000000', '+254711000002'));
    await advance('PT1S');
    expect(await list('receipts')).toMatchObject([{}, { fault: 'reorderedReceipt' }]);
  });
});

testEvery([
  ['a duration', 'POST', 'clock', { advance: 'a while' }, 400],
  ['an empty duration', 'POST', 'clock', { advance: 'P' }, 400],
  ['a step', 'PUT', 'numbers/+254711000017', { steps: [{ step: 'dance' }] }, 400],
  ['a number', 'PUT', 'numbers/0711', { steps: [] }, 404],
  ['a kind of fault', 'POST', 'faults', { kind: 'gremlin' }, 400],
  ['a property of a fault', 'POST', 'faults', { kind: 'serverError', tmes: 1 }, 400],
])('%s that the document does not have is rejected', async (_what, method, path, body, status) => {
  expect((await sandbox.control(method, `/sandbox/${path}`, body)).status).toBe(status);
});

test('a reset deletes all activity, and restores the units and the clock', async () => {
  await sandbox.control('PUT', '/sandbox/numbers/+254711000017', { steps: [] });
  await sandbox.control('POST', '/sandbox/faults', { kind: 'serverError' });
  await sandbox.control('DELETE', '/sandbox/faults');
  await sendSms('+254711000000');
  await advance('P30D');
  // A form or a script of any page could post it.
  const ofPage = { method: 'POST', headers: { origin: 'https://shop.example' } };
  expect((await fetch(`${sandbox.description.baseUrl}/sandbox/reset`, ofPage)).status).toBe(403);
  expect(await list('messages')).toHaveLength(1);
  expect((await sandbox.control('POST', '/sandbox/reset')).status).toBe(204);
  for (const what of ['messages', 'receipts', 'requests', 'faults'] as const)
    expect(await list(what)).toEqual([]);
  expect((await sandbox.control('GET', '/sandbox/numbers')).body).toEqual({});
  expect((await sandbox.control('GET', '/sandbox/clock')).body).toMatchObject({ aheadSeconds: 0 });
});

test('a receiver that fails gets all eleven attempts of the schedule, within seconds', async () => {
  receiver.respond(503);
  await sendSms('+254711000000');
  await advance('P5D');
  const attempts = await list('receipts');
  const hours = attempts.map(({ postedAt }) => Date.parse(String(postedAt)) / 3_600_000);
  expect(attempts).toHaveLength(11);
  expect((hours.at(-1) ?? 0) - (hours[0] ?? 0)).toBeGreaterThan(0.8 * 75);
  expect((hours.at(-1) ?? 0) - (hours[0] ?? 0)).toBeLessThan(1.2 * 77);
});

test('the same seed and scripts lead to the same receipts', async () => {
  const run = async () => {
    await sandbox.control('POST', '/sandbox/reset');
    receiver.received.length = 0;
    await sandbox.control('PUT', '/sandbox/numbers', {
      '+254711000017': { steps: [{ step: 'report', state: 'Delivered', after: 'PT2H', times: 3 }] },
      '+254711000018': {
        steps: [
          { step: 'throttle', times: 3 },
          { step: 'report', state: 'Failed' },
        ],
      },
    });
    await sandbox.control('POST', '/sandbox/faults', { kind: 'duplicateReceipt', share: 0.5 });
    for (const phone of ['+254711000008', '+254711000017', '+254711000018', '+254711000002', '+254711000009'])
      await sendSms(phone);
    await advance('P4D');
    return receiver.received.map(({ phone, deliveryStatus, sequence }) => [phone, deliveryStatus, sequence]);
  };
  const first = await run();
  expect(first.length).toBeGreaterThanOrEqual(5);
  expect(await run()).toEqual(first);
});
