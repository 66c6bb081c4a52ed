/** `schedule` in every send: what it promises, and where that is read again. */
import { expect, test } from '@jest/globals';
import { pathOf, requestsOf, sending } from '../../../spec/document.ts';
import { forEvery } from '../../../src/platform/for-every-testing.ts';
import { sharedDemo } from '../../support/shared/service.ts';

test('200: the response, the request, its message, the list and the preview say when it is sent', async () => {
  const { post, get } = await sharedDemo();
  const sendAt = new Date(Date.now() + 86_400_000).toISOString();
  // The offset of Nairobi.
  const written = new Date(Date.parse(sendAt) + 3 * 3_600_000).toISOString().replace('Z', '+03:00');
  const named = sending.map((operation) => ({ operation, name: operation.operationId }));
  await forEvery(named, '$name', async ({ operation }) => {
    const [published] = requestsOf(operation).examples.values();
    const body = { ...(published as object), schedule: { sendAt: written } };
    const sent = await post(pathOf(operation), body);
    const { requestId, scheduledFor } = sent.body.result ?? sent.body;
    expect([sent.status, scheduledFor]).toEqual([200, sendAt]);
    const { scheduledFor: ofRequest, states } = (await get(`/requests/${requestId}`)).body;
    expect([ofRequest, states.Scheduled > 0]).toEqual([sendAt, true]);
    const [message] = (await get(`/requests/${requestId}/messages`)).body.items;
    expect(message).toMatchObject({ state: 'Scheduled', scheduledFor: sendAt, refunded: false });
    expect(message.timeline.map(({ event }: { event: string }) => event)).toEqual(['Accepted', 'Scheduled']);
    const waiting = (await get('/requests?scheduled=true&limit=100')).body.items;
    expect(waiting).toContainEqual(expect.objectContaining({ requestId }));
    const preview = await post(`${pathOf(operation)}/preview`, body);
    expect(preview.body).toMatchObject({ sendable: true, scheduledFor: sendAt });
  });
});
