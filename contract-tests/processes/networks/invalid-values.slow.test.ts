/** Values that cannot be stored, from a provider and in the database itself: they affect nothing else. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Bundles, postOf, startBundles } from '../../support/networks/bundle-provider.ts';
import { metric } from '../../support/service/metrics.ts';
import { type Receiver, startReceiver } from '../../support/service/receiver.ts';
import { withStoredData } from '../../support/service/stored-data.ts';

let network: Bundles;
let receiver: Receiver;
let phones = 0;

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

function freshPhone(): string {
  phones += 1;
  return `+2547110020${String(phones).padStart(2, '0')}`;
}

/** Disburses to one number; returns the reference under which the provider got it. */
async function disburse(phone: string, path: string): Promise<string> {
  await network.disburse(phone, { correlator: 'c', callbackUrl: receiver.url(path) });
  const [request] = await network.stub.got(1, postOf(phone));
  return request?.body.externalReference;
}

/** Poisonous texts by what is wrong with them. */
const texts: Record<string, string> = {
  NUL: 'a\0b',
  'only NUL': '\0',
  'half a pair': 'a\ud83d',
  'the other half': '\ude00a',
  'an emoji at the 200th place': `${'x'.repeat(199)}😀`,
  'an emoji at the 255th place': `${'x'.repeat(254)}😀`,
  'an emoji at the 500th place': `${'x'.repeat(499)}😀`,
  controls: '\u0001\u001b[2J\u009b\u007f',
  '256 characters': 'x'.repeat(256),
  '3,000 characters': 'x'.repeat(3_000),
  '64 KB': 'é'.repeat(32_768),
  'a backslash and u0000': '\\u0000',
};
const instants = [
  '+275760-09-13T00:00:00Z',
  '-271821-04-20T00:00:00Z',
  '1999-12-31T00:00:00Z',
  '2100-01-01T00:00:00Z',
  'soon',
  '\0',
];
const callbacks: [poison: string, document: object][] = [
  ...Object.entries(texts).flatMap(([name, text]): [string, object][] => [
    [`transactionId: ${name}`, { transactionId: text }],
    [`reason: ${name}`, { reason: { code: 'OTHER', message: text } }],
    [`code: ${name}`, { reason: { code: text, message: 'no' } }],
  ]),
  ...instants.map((occurredAt): [string, object] => [
    `occurredAt: ${JSON.stringify(occurredAt)}`,
    { occurredAt },
  ]),
];

test('200: callbacks with invalid values are accepted, and their states count', async () => {
  const path = '/callbacks';
  for (const [poison, document] of callbacks) {
    const answer = await network.tell(await disburse(freshPhone(), path), 'FAILED', { document });
    expect([poison, answer.status]).toEqual([poison, 200]);
  }
  const receipts = await receiver.received(path, callbacks.length);
  for (const { body } of receipts) {
    const { reason = '', reasonCode = '' } = body;
    expect(reason + reasonCode).not.toMatch(/\p{Cc}|\p{Cs}/u);
    expect([[...reason].length <= 500, [...reasonCode].length <= 64]).toEqual([true, true]);
  }
});

test('200: a response with an invalid id among others of one request: every receipt is posted once', async () => {
  const path = '/answers';
  const ids = Object.values(texts);
  const byPhone = new Map(ids.map((id) => [freshPhone().slice(1), id]));
  network.stub.answer = ({ body }) => ({
    status: 202,
    body: {
      transactionId: byPhone.get(body.msisdn),
      externalReference: body.externalReference,
      status: 'SUCCESSFUL',
    },
  });
  for (const phone of byPhone.keys())
    await network.disburse(`+${phone}`, { correlator: 'c', callbackUrl: receiver.url(path) });
  const receipts = await receiver.received(path, ids.length);
  expect(receipts.map(({ body }) => body.deliveryStatus)).toEqual(ids.map(() => 'Delivered'));
  for (const phone of byPhone.keys())
    expect(network.stub.received.filter(postOf(`+${phone}`))).toHaveLength(1);
});

test('200: invalid rows that are already in the database go to quarantine and do not hold up receipts', async () => {
  const path = '/stored';
  const { service } = network.data;
  const poisoned = await disburse(freshPhone(), path);
  const healthy = await disburse(freshPhone(), path);
  await service.stop();
  const longOrigin = `https://${'㍿'.repeat(140)}.example/`;
  await withStoredData(service, async (knex) => {
    await knex('requests')
      .whereIn(
        'id',
        knex('messages')
          .select('request_id')
          .where({ id: poisoned.replace('tarishi-', '') }),
      )
      .update({ callback_url: longOrigin });
    await knex.raw(
      `insert into jobs (queue, data)
       values ('deliver', '{"product": "fax"}'), ('poll', '{"messageIds": ["1e9"]}'), ('poll', 'null')`,
    );
  });
  await service.restart();
  for (const reference of [poisoned, healthy])
    expect((await network.tell(reference, 'SUCCESSFUL')).status).toBe(200);
  await receiver.received(path, 1);
  const later = await disburse(freshPhone(), path);
  await network.tell(later, 'SUCCESSFUL');
  await receiver.received(path, 2);
  // Loops of their own meet what is unreadable: within seconds, or the test fails.
  while ((await metric(service.metricsUrl, 'tarishi_quarantined_items\\{round="job"\\}')) !== 3)
    await delay(100);
  await service.stop();
  const items = await withStoredData(service, (knex) => knex('quarantine').orderBy('id'));
  expect(items.map(({ round, reason }) => [round, reason])).toEqual(
    [1, 2, 3].map(() => ['job', 'the job cannot be read']),
  );
});
