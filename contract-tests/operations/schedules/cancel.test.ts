/** cancelRequest: what waits is cancelled and refunded, for clients and operators alike. */
import { beforeAll, expect, test } from '@jest/globals';
import { bundleToMany } from '../../support/requests/disbursement.ts';
import { toMany } from '../../support/requests/sms.ts';
import type { DemoCaller } from '../../support/service/demo-client.ts';
import { until } from '../../support/service/pages.ts';
import { sharedDemo } from '../../support/shared/service.ts';

let client: DemoCaller;
beforeAll(async () => {
  client = await sharedDemo();
});

const get: DemoCaller['get'] = (path) => client.get(path);
const cancel = (requestId: string) => client.post(`/requests/${requestId}/cancel`, undefined);

async function send(more: object = {}): Promise<string> {
  const body = toMany(['+254711000000', '+254733000000'], 'Habari', more);
  return (await client.post(`/message/${client.demo.smsServiceId}`, body)).body.result.requestId;
}

const schedule = { sendAt: new Date(Date.now() + 86_400_000).toISOString() };

test('200: a scheduled request; a second call has the same response', async () => {
  const requestId = await send({ schedule });
  const first = await cancel(requestId);
  expect([first.status, first.body]).toEqual([
    200,
    { requestId, cancelled: 2, late: 0, refunded: [{ product: 'Sms', units: 2 }] },
  ]);
  expect((await cancel(requestId)).body).toEqual(first.body);
  expect((await get(`/requests/${requestId}`)).body.states).toEqual({ Cancelled: 2 });
  const [message] = (await get(`/requests/${requestId}/messages`)).body.items;
  expect(message).toMatchObject({ state: 'Cancelled', refunded: true });
  const events = message.timeline.map(({ event }: { event: string }) => event);
  expect(events.toSorted()).toEqual(['Accepted', 'Cancelled', 'Refunded', 'Scheduled']);
});

test('200: bundles name their account', async () => {
  const body = bundleToMany(['+254711000000'], '100MB', { schedule });
  const answer = await client.post(`/data/${client.demo.campaigns.open}`, body);
  expect((await cancel(answer.body.requestId)).body.refunded).toEqual([
    { product: 'MobileData', channel: 'Safaricom', denomination: '100MB', units: 1 },
  ]);
});

test('409: all messages were sent', async () => {
  const requestId = await send();
  await until(
    () => get(`/requests/${requestId}/messages`),
    (items) => items.every(({ state }: { state: string }) => state === 'Delivered'),
  );
  const answer = await cancel(requestId);
  expect([answer.status, answer.body, answer.headers.get('error-code')]).toEqual([
    409,
    { desc: `Request ${requestId} has no message left to cancel.` },
    'nothing-to-cancel',
  ]);
});
