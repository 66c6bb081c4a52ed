/** `schedule` in every send: what it promises, and where that is read again. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { call } from '../../support/service/api.ts';
import type { DemoCaller } from '../../support/service/demo-client.ts';
import { sharedDemo } from '../../support/shared/service.ts';

let client: DemoCaller;
beforeAll(async () => {
  client = await sharedDemo();
});

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const get = (path: string) => call(client.demo.baseUrl, path, { method: 'GET', token: client.token });

interface Send {
  path: () => string;
  body: () => object;
  wrapped: boolean;
}

const sends: Record<string, Send> = {
  sms: {
    path: () => `/message/${client.demo.smsServiceId}`,
    body: () => ({ type: 'SendToMany', addresses: ['+254711000000'], message: 'Habari' }),
    wrapped: true,
  },
  data: {
    path: () => `/data/${client.demo.campaigns.open}`,
    body: () => ({ type: 'SendToMany', phones: ['+254711000000'], denomination: '100MB' }),
    wrapped: false,
  },
  chatapp: {
    path: () => `/message/${client.demo.chatAppServiceId}/chatapp`,
    body: () => {
      const { id: templateId, params } = client.demo.chatAppTemplates.named;
      const [phoneNumberId] = client.demo.phoneNumberIds;
      return { type: 'TemplateSendToMany', phoneNumberId, templateId, addresses: ['+254711000000'], params };
    },
    wrapped: true,
  },
};

describe.each(Object.entries(sends))('%s', (_product, { path, body, wrapped }) => {
  const resultOf = (answer: { body: { result: unknown } }) => (wrapped ? answer.body.result : answer.body);

  test('200: the response, the request, its message and the preview say when it is sent', async () => {
    const sendAt = inMinutes(24 * 60);
    // The offset of Nairobi.
    const written = new Date(Date.parse(sendAt) + 3 * 3_600_000).toISOString().replace('Z', '+03:00');
    const answer = await client.post(path(), { ...body(), schedule: { sendAt: written } });
    expect(answer.status).toBe(200);
    const { requestId, scheduledFor } = resultOf(answer) as { requestId: string; scheduledFor: string };
    expect(scheduledFor).toBe(sendAt);
    expect((await get(`/requests/${requestId}`)).body).toMatchObject({
      scheduledFor: sendAt,
      states: { Scheduled: 1 },
    });
    const [message] = (await get(`/requests/${requestId}/messages`)).body.items;
    expect(message).toMatchObject({ state: 'Scheduled', scheduledFor: sendAt, refunded: false });
    expect(message.timeline.map(({ event }: { event: string }) => event)).toEqual(['Accepted', 'Scheduled']);
    const waiting = (await get('/requests?scheduled=true&limit=100')).body.items;
    expect(waiting.map((one: { requestId: string }) => one.requestId)).toContain(requestId);
    const preview = await client.post(`${path()}/preview`, { ...body(), schedule: { sendAt } });
    expect(preview.body).toMatchObject({ sendable: true, scheduledFor: sendAt });
  });
});
