/** What happened to a message: found by phone, correlator, state, time and request, with its timeline. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bundleToMany } from '../../support/requests/disbursement.ts';
import { toMany } from '../../support/requests/sms.ts';
import { until } from '../../support/service/pages.ts';
import { type Receiver, startReceiver } from '../../support/service/receiver.ts';
import { sharedTeam, type TeamCaller } from '../../support/shared/team.ts';

let client: TeamCaller;
let receiver: Receiver;
let requestId: string;

const delivered = '+254711000000';
const rejected = '+254711000005';

beforeAll(async () => {
  receiver = await startReceiver();
  client = await sharedTeam({ sms: 100, data: 10, chatApp: { UTILITY: 10 } });
  const { smsServiceId } = client.team;
  const receiptRequest = { correlator: 'shipment-1', callbackUrl: receiver.url('/receipts') };
  const body = toMany([delivered, '+254733000000'], 'Habari', { receiptRequest });
  requestId = (await client.post(`/message/${smsServiceId}`, body)).body.result.requestId;
  await client.post(`/message/${smsServiceId}`, toMany([rejected]));
});
afterAll(() => receiver?.close());

const get: TeamCaller['get'] = (...asked) => client.get(...asked);

const search = (query: Record<string, string>) => get(`/messages?${new URLSearchParams(query)}`);

const eventsOf = (message: { timeline: { event: string }[] }) => message.timeline.map(({ event }) => event);

describe('200 GET /messages', () => {
  test('by phone: accepted, submitted, reported, receipt posted, with times', async () => {
    const { body } = await until(
      () => search({ phone: delivered }),
      ([message]) => eventsOf(message).includes('ReceiptPosted'),
    );
    const [callback] = receiver
      .on('/receipts')
      .filter(({ body: { phone } }: { body: { phone: string } }) => phone === delivered);
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(body).toEqual({
      items: [
        {
          messageId: expect.stringMatching(
            /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
          ),
          requestId,
          position: 0,
          product: 'Sms',
          phone: delivered,
          channel: 'Safaricom',
          state: 'Delivered',
          units: 1,
          refunded: false,
          parts: 1,
          correlator: 'shipment-1',
          acceptedAt: at,
          timeline: [
            { event: 'Accepted', at },
            { event: 'Submitted', at },
            { event: 'Reported', at: callback?.body.timestamp, state: 'Delivered' },
            { event: 'ReceiptPosted', at, receiptId: callback?.headers['webhook-id'] },
          ],
        },
      ],
    });
  });

  test('by state, page by page: a rejected message with its reason', async () => {
    await client.post(`/message/${client.team.smsServiceId}`, toMany(['+254733000005']));
    const query = { state: 'InvalidMsisdn' };
    await until(
      () => search(query),
      (items) => items.length === 2,
    );
    const first = (await search({ ...query, limit: '1' })).body;
    const second = (await search({ ...query, limit: '1', cursor: first.next })).body;
    expect(second.next).toBeUndefined();
    expect([...first.items, ...second.items].map(({ phone }) => phone)).toEqual(['+254733000005', rejected]);
    const [{ timeline, reason, reasonCode }] = second.items;
    expect(timeline).toEqual([
      { event: 'Accepted', at: expect.any(String) },
      { event: 'Reported', at: expect.any(String), state: 'InvalidMsisdn', reason, reasonCode },
      { event: 'Refunded', at: expect.any(String) },
    ]);
  });

  test('by phone as people write it, correlator, request, product, state and time of acceptance', async () => {
    const [{ acceptedAt }] = (await search({ phone: delivered })).body.items;
    const next = new Date(Date.parse(acceptedAt) + 1).toISOString();
    const query = { phone: '0711 000-000', correlator: 'shipment-1' };
    for (const [more, found] of [
      [{ requestId, product: 'Sms', state: 'Delivered', from: acceptedAt, to: next }, 1],
      [{ phone: '+254733000001' }, 0],
      [{ correlator: 'shipment-2' }, 0],
      [{ state: 'Failed' }, 0],
      [{ product: 'MobileData' }, 0],
      [{ requestId: '00000000-0000-4000-8000-000000000000' }, 0],
      [{ to: acceptedAt }, 0],
      [{ from: next }, 0],
    ] as const)
      expect([more, (await search({ ...query, ...more })).body.items.length]).toEqual([more, found]);
  });
});

describe('400 GET /messages', () => {
  test('a period that ends before it begins, is too long, or has not begun', async () => {
    for (const query of [
      { from: '2026-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' },
      { from: '2024-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' },
      { from: '2100-01-01T00:00:00Z' },
    ]) {
      const { status, headers } = await search(query as Record<string, string>);
      expect([query, status, headers.get('error-code')]).toEqual([query, 400, 'invalid-period']);
    }
  });

  test('a cursor with other filters', async () => {
    const { next } = (await search({ limit: '1' })).body;
    const answer = await search({ cursor: next, state: 'Delivered' });
    expect([answer.status, answer.body.desc]).toEqual([400, expect.stringContaining('cursor')]);
  });
});

test('200 GET /requests: by correlator and time, each as it is shown alone', async () => {
  const { items } = (await get('/requests?correlator=shipment-1')).body;
  expect(items).toEqual([(await get(`/requests/${requestId}`)).body]);
  expect((await get('/requests?correlator=shipment-1&to=2026-01-01T00:00:00Z')).body).toEqual({ items: [] });
});

describe('GET /requests/{requestId}', () => {
  test('200: what was accepted, and how far it is', async () => {
    await until(
      () => search({ correlator: 'shipment-1' }),
      (items) => items.every(({ state }) => state === 'Delivered'),
    );
    expect((await get(`/requests/${requestId}`)).body).toEqual({
      requestId,
      product: 'Sms',
      serviceId: client.team.smsServiceId,
      sender: expect.any(String),
      correlator: 'shipment-1',
      callbackUrl: receiver.url('/receipts'),
      acceptedAt: expect.any(String),
      messages: 2,
      states: { Delivered: 2 },
    });
  });

  test('200: a mobile-data request with its campaign, and one of chat-app with its sender number', async () => {
    const { team, post } = client;
    const data = await post(`/data/${team.campaignId}`, bundleToMany([delivered]));
    const dataRequest = (await get(`/requests/${data.body.requestId}`)).body;
    expect(dataRequest).toMatchObject({ product: 'MobileData', campaignId: team.campaignId, messages: 1 });
    const [bundle] = (await get(`/requests/${data.body.requestId}/messages`)).body.items;
    expect(bundle).toMatchObject({ product: 'MobileData', channel: 'Safaricom', denomination: '100MB' });

    const { phoneNumberId, chatAppServiceId } = team;
    const { id: templateId, params } = team.chatAppTemplate;
    const chat = await post(`/message/${chatAppServiceId}/chatapp`, {
      type: 'TemplateSendToMany',
      phoneNumberId,
      templateId,
      params,
      addresses: [delivered],
    });
    const { requestId: chatId } = chat.body.result;
    expect((await get(`/requests/${chatId}`)).body).toMatchObject({ product: 'ChatApp', messages: 1 });
    const [message] = (await get(`/requests/${chatId}/messages`)).body.items;
    expect(message).toMatchObject({ product: 'ChatApp', phoneNumberId });
  });
});

test('200 GET /requests/{requestId}/messages: in the order of the request, page by page', async () => {
  const first = (await get(`/requests/${requestId}/messages?limit=1`)).body;
  const rest = (await get(`/requests/${requestId}/messages?cursor=${encodeURIComponent(first.next)}`)).body;
  expect([...first.items, ...rest.items].map(({ phone }) => phone)).toEqual([delivered, '+254733000000']);
  expect(rest.next).toBeUndefined();
});
