/**
 * Bundles through the HTTP provider of the running service: callbacks, rejections, unknown outcomes; none is given
 * twice.
 */
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type Bundles,
  postOf,
  questionAbout,
  secrets,
  startBundles,
} from '../../support/networks/bundle-provider.ts';
import { metric } from '../../support/service/metrics.ts';
import { type Receiver, startReceiver } from '../../support/service/receiver.ts';
import { rowsOf, unbalancedAccounts, withStoredData } from '../../support/service/stored-data.ts';

let network: Bundles;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  network = await startBundles();
});
beforeEach(() => {
  network.stub.answer = network.wellBehaved;
});
afterAll(async () => {
  await network?.dispose();
  receiver.close();
});

/** Disburses to one number; returns the reference under which the provider got it. */
async function disburse(phone: string, path: string): Promise<string> {
  await network.disburse(phone, { correlator: 'c', callbackUrl: receiver.url(path) });
  const [request] = await network.stub.got(1, postOf(phone));
  return request?.body.externalReference;
}
const receipt = async (path: string, nth = 1) => (await receiver.received(path, nth))[nth - 1]?.body;

describe('a bundle', () => {
  test('is posted under one reference and delivered by a signed callback; repeated and forged ones do nothing', async () => {
    const reference = await disburse('+254711000101', '/delivered');
    const [request] = network.stub.received.filter(postOf('+254711000101'));
    expect([request?.headers['idempotency-key'], request?.headers.authorization]).toEqual([
      reference,
      `Bearer ${secrets.token}`,
    ]);
    expect((await network.tell(reference, 'FAILED', { secret: 'another' })).status).toBe(401);
    const refused = 'tarishi_network_calls_refused_total\\{connector="provider"\\}';
    expect(await metric(network.data.service.metricsUrl, refused)).toBe(1);
    for (const status of ['PENDING', 'SUBMITTED', 'SUCCESSFUL', 'SUCCESSFUL', 'FAILED'])
      expect((await network.tell(reference, status)).status).toBe(200);
    expect(await receipt('/delivered')).toMatchObject({
      type: 'DataDeliveryReceipt',
      deliveryStatus: 'Delivered',
      phone: '+254711000101',
    });
  });

  test('that is reversed after its delivery has a second receipt, and is refunded', async () => {
    const reference = await disburse('+254711000104', '/reversed');
    await network.tell(reference, 'SUCCESSFUL');
    expect(await receipt('/reversed')).toMatchObject({ deliveryStatus: 'Delivered' });
    await network.tell(reference, 'REVERSED');
    expect(await receipt('/reversed', 2)).toMatchObject({ deliveryStatus: 'Failed' });
  });
});

describe('never twice', () => {
  test('a request that never arrived is posted again, the same one, after asking', async () => {
    network.stub.answer = () => 'drop';
    const reference = await disburse('+254711000107', '/lost');
    network.stub.answer = network.wellBehaved;
    const [first, second] = await network.stub.got(2, postOf('+254711000107'));
    expect(second?.body).toEqual(first?.body);
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
    expect(network.stub.received.findIndex(questionAbout(reference))).toBeLessThan(
      network.stub.received.lastIndexOf(second as never),
    );
    await network.tell(reference, 'SUCCESSFUL');
    expect(await receipt('/lost')).toMatchObject({ deliveryStatus: 'Delivered' });
  });
});

test('INSUFFICIENT_FLOAT pauses the provider; its messages wait, and the accounts agree with their ledgers', async () => {
  network.stub.answer = () => ({ status: 402, body: { reason: { code: 'INSUFFICIENT_FLOAT' } } });
  await disburse('+254711000110', '/float');
  const { service } = network.data;
  const { stdout } = service.process;
  while (stdout !== null && !service.output().includes('connector paused itself')) await once(stdout, 'data');
  await service.stop();
  const found = await withStoredData(service, async (knex) => ({
    paused: await rowsOf(knex, `select paused, paused_reason from connectors where name = 'provider'`),
    waiting: await rowsOf(knex, `select state from messages where phone = '+254711000110'`),
    refunded: await rowsOf(
      knex,
      `select m.phone from ledger_entries l join messages m on m.id = l.message_id
       where l.reason = 'Refund' order by 1`,
    ),
    unbalanced: await unbalancedAccounts(knex),
  }));
  expect(found).toEqual({
    paused: [{ paused: true, paused_reason: 'The provider says INSUFFICIENT_FLOAT' }],
    waiting: [{ state: 'Queued' }],
    refunded: [{ phone: '+254711000104' }],
    unbalanced: [],
  });
  expect(service.output()).not.toMatch(/canary|\+?2547110001\d\d/);
});
