/** What a client can use: the lists of balances, services, senders, templates and campaigns, page by page. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testEvery } from '../../../src/platform/for-every-testing.ts';
import { addTeam } from '../../support/management/team.ts';
import { toMany } from '../../support/requests/sms.ts';
import { tokenFor } from '../../support/service/api.ts';
import { type DemoCaller, demoCallerIn } from '../../support/service/demo-client.ts';
import type { InProcess } from '../../support/service/in-process.ts';

let client: DemoCaller<InProcess>;
/** Of another team. */
let otherToken: string;

beforeAll(async () => {
  client = await demoCallerIn({ READ_RATE_LIMIT_PER_SECOND: '1000000' });
  const team = await addTeam(client.service, { sms: 1, chatApp: { UTILITY: 1 } });
  otherToken = await tokenFor(client.demo.baseUrl, team);
});
afterAll(() => client?.service.dispose());

const lists = ['/balances', '/services', '/senders', '/templates', '/campaigns'];

const get: DemoCaller['get'] = (...asked) => client.get(...asked);

/** All items, read in pages of so many. */
async function all(path: string, limit: number, token = client.token) {
  const items: Record<string, unknown>[] = [];
  for (let next: string | undefined; ; ) {
    const cursor: string = next === undefined ? '' : `&cursor=${encodeURIComponent(next)}`;
    const { status, body, text } = await get(`${path}?limit=${limit}${cursor}`, token);
    if (status !== 200) throw new Error(text);
    items.push(...body.items);
    if (body.next === undefined) return items;
    next = body.next;
  }
}

testEvery(lists)(
  '200: small pages of %s together list the same as a large one, in the same order',
  async (path) => {
    const whole = await all(path, 100);
    expect(whole.length).toBeGreaterThan(1);
    expect(await all(path, 1)).toEqual(whole);
    expect(await all(path, 3)).toEqual(whole);
  },
);

test('400: a cursor of another list', async () => {
  const { next } = (await get('/services?limit=1')).body;
  const answer = await get(`/templates?cursor=${encodeURIComponent(next)}`);
  expect([answer.status, answer.headers.get('error-code')]).toEqual([400, 'invalid-cursor']);
});

test('200 /balances: each account, with what was spent', async () => {
  const before = (await get('/balances')).body.items;
  expect(before).toContainEqual({ product: 'Sms', balance: 10_000 });
  expect(before).toContainEqual({
    product: 'MobileData',
    channel: 'Safaricom',
    denomination: '1GB',
    balance: 1_000,
  });
  expect(before).toContainEqual({ product: 'ChatApp', category: 'UTILITY', balance: 10_000 });
  await client.post(`/message/${client.demo.smsServiceId}`, toMany(['+254711000000', '+254733000000']));
  expect((await get('/balances')).body.items).toContainEqual({ product: 'Sms', balance: 9_998 });
});

test('200 /services: SMS services with their sender, chat-app services with their numbers', async () => {
  const services = await all('/services', 100);
  expect(services).toContainEqual(
    expect.objectContaining({ product: 'Sms', id: 'demo-sms', status: 'Active', sender: expect.any(String) }),
  );
  const [first, second] = client.demo.phoneNumberIds;
  expect(services).toContainEqual(
    expect.objectContaining({
      product: 'ChatApp',
      id: client.demo.chatAppServiceId,
      phoneNumbers: [
        { phoneNumberId: first, phone: '+254709000001' },
        { phoneNumberId: second, phone: '+254709000002' },
      ],
    }),
  );
});

test('200 /senders: what the team may send as, and where', async () => {
  const senders = await all('/senders', 100);
  const approved = { status: 'Approved', uses: [{ status: 'Approved' }], createdAt: expect.any(String) };
  const [id] = client.demo.phoneNumberIds;
  for (const sender of [
    { product: 'Sms', id: 'tarishi', sender: 'TARISHI', kind: 'Alphanumeric' },
    { product: 'Sms', id: '22140', sender: '22140', kind: 'ShortCode' },
    { product: 'ChatApp', id, sender: '+254709000001', kind: 'ChatApp' },
  ])
    expect(senders).toContainEqual({ ...sender, ...approved });
});

test('200 /templates: which templates can be sent, with their parameters', async () => {
  const templates = await all('/templates', 100);
  expect(templates).toContainEqual(
    expect.objectContaining({
      product: 'Sms',
      id: 'order-shipped',
      status: 'Active',
      approvalStatus: 'APPROVED',
      params: expect.arrayContaining([
        { name: 'order', format: 'Numeric', required: true, maxLength: 10 },
        { name: 'note', format: 'PlainText', required: false, defaultValue: 'Thank you!' },
      ]),
    }),
  );
  expect(templates).toContainEqual(
    expect.objectContaining({
      id: 'weekend-offer',
      approvalStatus: 'PENDING',
      managedServiceKey: 'brand-sender',
    }),
  );
  expect(templates).toContainEqual(
    expect.objectContaining({
      product: 'ChatApp',
      id: client.demo.chatAppTemplates.named.id,
      params: expect.arrayContaining([{ type: 'BodyNamedParameter', name: 'name', required: true }]),
    }),
  );
});

test('200 /campaigns: their rules, and when they expire', async () => {
  const campaigns = await all('/campaigns', 100);
  expect(campaigns).toContainEqual(
    expect.objectContaining({
      id: 'demo-open',
      status: 'Active',
      frequency: 'Unlimited',
      serviceId: 'demo-sms',
    }),
  );
  expect(campaigns).toContainEqual(
    expect.objectContaining({ id: 'demo-expired', expiresAt: '2020-01-01T00:00:00.000Z' }),
  );
});

test('200: each service, template and campaign by its id, as it is listed', async () => {
  for (const path of ['/services', '/templates', '/campaigns'])
    for (const item of await all(path, 100)) {
      const answer = await get(
        `${path}/${item.id}${item.product === undefined ? '' : `?product=${item.product}`}`,
      );
      expect([answer.status, answer.body]).toEqual([200, item]);
    }
  expect((await get('/services/demo-sms')).body).toMatchObject({ id: 'demo-sms', product: 'Sms' });
  const answer = await get('/services/demo-sms?product=ChatApp');
  expect([answer.status, answer.body]).toEqual([404, { desc: 'Service demo-sms not found.' }]);
});

test('a template lists all that a send of it needs, by the names of the request', async () => {
  interface Parameter {
    type: string;
    name?: string;
    position?: number;
    cardIndex?: number;
    params?: Parameter[];
  }
  /** What tells each parameter from the others of its template or card. */
  const named = (all: readonly Parameter[], card = ''): string[] =>
    all.flatMap(({ type, name, position, cardIndex, params = [] }) => [
      `${card}${type} ${name ?? position ?? cardIndex ?? ''}`,
      ...named(params, `card ${cardIndex}: `),
    ]);
  for (const { id, params } of Object.values(client.demo.chatAppTemplates)) {
    const { params: listed } = (await get(`/templates/${id}?product=ChatApp`)).body;
    expect(named(listed)).toEqual(expect.arrayContaining(named(params as unknown as Parameter[])));
    expect(named(listed.filter(({ required }: { required: boolean }) => required)).length).toBeGreaterThan(0);
  }
});

test('200: a team sees nothing that belongs to another team', async () => {
  for (const path of lists) expect(JSON.stringify(await all(path, 100, otherToken))).not.toContain('demo');
});
