/** The sandbox as clients and their tests use it: scripts, time travel, inspection, faults and reset. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { npmSmpp, type PeerPdu } from '../../connectors/smpp/peers/npm-smpp-testing.ts';
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
const advance = (duration: string) => sandbox.control('POST', '/sandbox/clock', { advance: duration });
const states = () => receiver.received.map(({ deliveryStatus }) => deliveryStatus);
const list = async (what: 'messages' | 'receipts' | 'requests' | 'faults') => {
  const { body } = await sandbox.control('GET', `/sandbox/${what}`);
  return (body as Record<string, Record<string, unknown>[]>)[what] ?? [];
};

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

  test("a campaign's window opens again", async () => {
    const disburse = () =>
      sandbox.send('/data/demo-daily', {
        type: 'SendToEach',
        disbursements: [{ phone: '+254711000000', denomination: '1GB' }],
        receiptRequest: { correlator: 'bundle', callbackUrl: receiver.url },
      });
    await disburse();
    await advance('PT1S');
    expect((await disburse()).status).toBe(200);
    await advance('PT1M');
    expect(states()).toEqual(['Delivered', 'Duplicated']);
    await advance('P1D');
    await disburse();
    await advance('PT1S');
    expect(states()).toEqual(['Delivered', 'Duplicated', 'Delivered']);
  });

  test('a duration that the document does not allow is rejected', async () => {
    expect((await advance('a while')).status).toBe(400);
    expect((await advance('P')).status).toBe(400);
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

  test('that is unknown is rejected', async () => {
    const put = (number: string, body: unknown) => sandbox.control('PUT', `/sandbox/numbers/${number}`, body);
    expect((await put(phone, { steps: [{ step: 'dance' }] })).status).toBe(400);
    expect((await put('0711', { steps: [] })).status).toBe(404);
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

  test('of an unknown kind is rejected', async () => {
    expect((await add({ kind: 'gremlin' })).status).toBe(400);
    expect((await add({ kind: 'serverError', tmes: 1 })).status).toBe(400);
  });
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

const secondsBetween = (one: unknown, later: unknown) =>
  (Date.parse(String(later)) - Date.parse(String(one))) / 1_000;

describe('a receiver that fails', () => {
  test('gets all eleven attempts of the schedule, within seconds', async () => {
    receiver.respond(503);
    await sendSms('+254711000000');
    await advance('P5D');
    const attempts = await list('receipts');
    expect(attempts).toHaveLength(11);
    const pausesOf = (all: typeof attempts) =>
      all.slice(1).map(({ postedAt }, index) => secondsBetween(all[index]?.postedAt, postedAt));
    const hours = attempts.map(({ postedAt }) => Date.parse(String(postedAt)) / 3_600_000);
    expect((hours.at(-1) ?? 0) - (hours[0] ?? 0)).toBeGreaterThan(0.8 * 75);
    expect((hours.at(-1) ?? 0) - (hours[0] ?? 0)).toBeLessThan(1.2 * 77);
    expect(
      new Set(attempts.map(({ headers }) => (headers as Record<string, string>)['webhook-id'])).size,
    ).toBe(1);
    await sandbox.control('POST', '/sandbox/reset');
    await sendSms('+254711000000');
    await advance('P5D');
    // The seed selects the pauses too, but for the time that the posts themselves take.
    const again = pausesOf(await list('receipts'));
    const differences = pausesOf(attempts).map((pause, index) => Math.abs(pause - (again[index] ?? 0)));
    expect(Math.max(...differences)).toBeLessThan(30);
  });
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
