/** What happened to a number: found without the number in any address, told in words, and its receipts posted again. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { testEvery } from '../../../src/platform/for-every-testing.ts';
import { originKeyOf } from '../../../src/receipts/callback/callback-url.ts';
import { type ConsoleService, startAcme } from '../../support/console/service.ts';
import type { Visitor } from '../../support/console/visitor.ts';
import type { CallManagement } from '../../support/management/caller.ts';
import { names } from '../../support/management/named.ts';
import { addMessage } from '../../support/management/sent-message.ts';

let service: ConsoleService;
let owner: Visitor;
let viewer: Visitor;
let api: CallManagement;
const acme = names('acme');
const phone = '+254711000000';
const origin = 'https://acme.example';
const key = originKeyOf(origin).replaceAll('-', '').slice(0, 16);

beforeAll(async () => {
  ({ service, owner, api } = await startAcme());
  viewer = await service.visitor('juma', { role: 'viewer' });
  await api('POST /channels', { name: 'Safaricom', prefixes: ['25471'], connector: 'simulator' });
  await addMessage(service.management, acme);
  const { knex } = service.management;
  await knex('messages').update({
    state: 'AbsentSubscriber',
    reason: 'The phone was not reached in time',
    reason_code: 'EXPIRED',
    submitted_at: knex.raw('service_now()'),
    reached_at: knex.raw('service_now()'),
    final_at: knex.raw('service_now()'),
    segments: 1,
  });
  await knex('receipts').update({ origin_key: originKeyOf(origin) });
  await knex('receipt_origins').update({ origin_key: originKeyOf(origin) });
});
afterAll(() => service.close());

const pathOfMessage = () => `/requests/${acme.requestId}/${acme.messageId}`;

describe('the search', () => {
  const found = async (user: Visitor, find: string) =>
    user.open((await user.post('/find', { find })).location ?? '');

  testEvery([
    ['a phone number', () => phone, pathOfMessage],
    ['a phone number as people write it', () => '0711 000 000', pathOfMessage],
    ['a request', () => acme.requestId.toUpperCase(), () => `/requests/${acme.requestId}`],
    ['a receipt', () => ` ${acme.receiptId}`, () => `/receipts/${acme.receiptId}`],
    ['a correlator', () => 'acme-correlator', () => `/requests/${acme.requestId}`],
    ['the end of a number', () => '000 000', pathOfMessage],
    ['a message', () => acme.messageId, pathOfMessage],
    [
      'a request by what lists show',
      () => `${acme.requestId.slice(0, 8)}…`,
      () => `/requests/${acme.requestId}`,
    ],
    ['a receipt by what lists show', () => acme.receiptId.slice(0, 8), () => `/receipts/${acme.receiptId}`],
  ])('opens the only hit of %s', async (_what, wanted, path) => {
    const sent = await owner.post('/find', { find: wanted() });
    expect([sent.status, sent.location]).toEqual([303, path()]);
  });

  test('of a number with several messages, or none, leads to a page without the number in its address', async () => {
    const sent = await owner.post('/find', { find: '+254799123456' });
    expect(sent.location).toMatch(/^\/found\/[\w-]{12}$/);
    const found = await owner.open(sent.location ?? '');
    expect(found.text).toContain('<h1><bdi>+254 799 123 456</bdi></h1>');
    expect(found.text).toContain('<title>Found ·');
    for (const words of ['not on the list of opt-outs', 'quiet hours', 'Nothing was sent to this number.'])
      expect(found.text).toContain(words);
    const { rows } = await service.management.knex.raw('select searches::text from console_sessions');
    expect(JSON.stringify(rows)).not.toContain('799123456');
    expect((await viewer.open(sent.location ?? '')).status).toBe(404);
  });

  test('of a number that opted out says so, with its messages and receipts', async () => {
    await api('POST /opt-outs', { phones: [phone], product: 'Sms', teamId: 'acme', target: 'ALL' });
    const { text } = await found(owner, phone);
    for (const part of ['id="opt-outs"', `/console${pathOfMessage()}`, `/receipts/${acme.receiptId}`])
      expect(text).toContain(part);
    expect(text).toContain('They have opted out.');
    await service.management.knex('opt_outs').delete();
  });

  test('of a user id finds the person, and hides the id from those who see no numbers', async () => {
    const find = 'KE.13491208655302741918';
    await api('POST /opt-outs', { phones: [find], product: 'ChatApp', teamId: 'acme', target: 'ALL' });
    for (const [user, shown] of [
      [owner, find],
      [viewer, 'KE.••••18'],
    ] as const) {
      const { text } = await found(user, find);
      expect(text).toContain(`<h1><bdi>${shown}</bdi></h1>`);
      expect(text).toContain('They have opted out.');
    }
    await service.management.knex('opt_outs').delete();
  });

  test('by the end of a number finds nothing for those who see no numbers', async () => {
    expect((await found(viewer, '000000')).text).toContain('Nothing was found.');
  });
});

describe('a message', () => {
  test('says what happened, why, and what to do next', async () => {
    const { status, text } = await owner.open(pathOfMessage());
    expect(status).toBe(200);
    expect(text).toContain('<title>Message 1 of 2 ·');
    for (const words of [
      'SMS to +254 711 000 000',
      'Safaricom could not reach the phone',
      'Why: <bdi>The phone was not reached in time, code EXPIRED</bdi>.',
      'Safaricom had accepted it, so its 1 unit stays spent.',
      'Accepted from client acme-client',
      'Handed over to Safaricom',
      'Safaricom reported: not reached',
      'The receipt was given up',
      'post the receipt again',
      `/console/endpoints/acme/${key}`,
      '/console/connectors/simulator">Connector simulator has no worker</a>',
    ])
      expect(text).toContain(words);
    expect(text).not.toContain('canary');
  });

  test('shows no number to a viewer, and offers them nothing that the API refuses', async () => {
    for (const path of [pathOfMessage(), '/messages', `/receipts/${acme.receiptId}`]) {
      const { status, text } = await viewer.open(path);
      expect([status, text.includes('711000000'), text.includes('711 000 000')]).toEqual([200, false, false]);
      expect(text).not.toContain('Post receipt again');
    }
  });

  test('shows the conversation of 24 hours around it, without texts, and without the number to a viewer', async () => {
    const { knex } = service.management;
    expect((await owner.open(pathOfMessage())).text).not.toContain('id="conversation"');
    const heard = (afterHours: number, more: object = {}) => ({
      ...{ id: randomUUID(), team_id: 'acme', service_id: acme.serviceId, product: 'sms', kind: 'text' },
      ...{ connector: 'simulator', recipient: 'ACME', phone, text: 'canary', ...more },
      received_at: knex.raw(`service_now() + ? * interval '1 hour'`, [afterHours]),
    });
    await knex('inbound_messages').insert([
      heard(-23, { keyword: 'HELP' }),
      heard(-25, { keyword: 'STOP' }),
      heard(0, { keyword: 'START', phone: '+254711000001' }),
      // However much they wrote since: the message itself is there.
      ...Array.from({ length: 120 }, () => heard(1, { keyword: null })),
    ]);
    for (const reader of [owner, viewer]) {
      const { text } = await reader.open(pathOfMessage());
      const [, conversation = ''] = /id="conversation"(.*?)<\/section>/s.exec(text) ?? [];
      expect(conversation).toMatch(/Person.*Text.*Help.*Team.*This message/s);
      expect(conversation).not.toMatch(/canary|Stop|Start|711/);
    }
    await knex('inbound_messages').delete();
  });

  test('has its receipt posted again', async () => {
    const { text } = await owner.open(pathOfMessage());
    const resend = `/receipts/${acme.receiptId}/resend`;
    const posted = await owner.post(resend, owner.fieldsIn(text, resend));
    expect(posted.location).toBe(`${pathOfMessage()}?done=resendReceipt`);
    const after = await owner.open(posted.location ?? '');
    expect(after.text).toContain('It is posted again when its endpoint is tried.');
    expect(after.text).toContain('the endpoint failed too often and is parked until');
    await service.management.knex('receipts').update({ state: 'Exhausted' });
  });
});

describe('an endpoint', () => {
  const path = `/endpoints/acme/${key}`;

  test('says why its receipts fail', async () => {
    expect((await owner.open('/endpoints')).text).toContain(`href="/console${path}"`);
    const { text } = await owner.open(path);
    for (const words of ['31 attempts failed in a row', '503 after 12 ms', 'The endpoint failed', 'busy'])
      expect(text).toContain(words);
    expect((await viewer.open(path)).text).not.toContain('Release</button>');
  });

  test('narrows the list of receipts, which says so with a way back, and is counted in the navigation', async () => {
    const narrowed = await owner.open(`/receipts?state=Waiting&endpoint=acme/${key}`);
    expect(narrowed.text).toContain('Endpoint: <b><bdi>https://acme.example</bdi></b> of team acme');
    expect(narrowed.text).toContain('State: <b>Waiting</b> <a href="/console/receipts?endpoint=acme%2F');
    expect(narrowed.text).toMatch(/Endpoints <span class="count \w+">1/);
  });

  test('has exactly the receipts posted again that were counted', async () => {
    const { knex } = service.management;
    const from = '2026-01-01T00:00:00';
    const to = '2099-01-01T00:00:00';
    const counted = await owner.send(`${path}/replay`, { from, to, deed: 'count' });
    expect(counted.text).toContain(
      '<b>1 receipt of team <bdi>acme</bdi> to <bdi>https://acme.example</bdi>.</b>',
    );
    const fields = owner.fieldsIn(counted.text.split('id="count"')[1] ?? '', `${path}/replay`);
    expect(fields).toMatchObject({ expected: '1', deed: 'post' });
    // Another one is given up meanwhile.
    const [receipt] = await knex('receipts');
    const other = { ...receipt, id: acme.messageId, attempt_log: '[]' };
    await knex('receipts').insert(other);
    const moved = await owner.post(`${path}/replay`, fields);
    expect(moved.status).toBe(409);
    expect(moved.text).toContain('The count has changed, so nothing was posted.');
    expect(await knex('receipts').where({ state: 'Waiting' })).toHaveLength(0);
    const again = owner.fieldsIn(moved.text.split('id="count"')[1] ?? '', `${path}/replay`);
    const posted = await owner.post(`${path}/replay`, again);
    expect(posted.location).toBe(`${path}/replay?posted=2`);
    expect((await owner.open(posted.location ?? '')).text).toContain('2 receipts are being posted again.');
    expect(await knex('receipts').where({ state: 'Waiting' })).toHaveLength(2);
  });

  test('that never failed has a page, to which its receipts lead everybody', async () => {
    const { knex } = service.management;
    const host = 'https://svc-123456789012.example';
    const [receipt] = await knex('receipts');
    const id = '0b5c1a52-58a4-4b3c-9d0c-0f6a54bd1c11';
    const url = `${host}/for/254711000000`;
    const other = { id, url, origin_key: originKeyOf(host), state: 'Delivered', attempt_log: '[]' };
    await knex('receipts').insert({ ...receipt, ...other });
    for (const reader of [owner, viewer]) {
      const { text } = await reader.open(`/receipts/${id}`);
      const [, there = ''] = /href="\/console([^"]+)">Its endpoint/.exec(text) ?? [];
      const endpoint = await reader.open(there);
      expect([endpoint.status, endpoint.text.includes(host)]).toEqual([200, true]);
      expect(endpoint.text).toContain('Works');
    }
    expect((await viewer.open(`/receipts/${id}`)).text).not.toContain('254711000000');
    await knex('receipts').where({ id }).delete();
  });

  test('is released: its receipts go out now, and its page stays', async () => {
    const { text } = await owner.open(path);
    const released = await owner.post(`${path}/release`, owner.fieldsIn(text, `${path}/release`));
    expect(released.location).toMatch(/^\/endpoints\/acme\/[0-9a-f]{16}\?released=\d+$/);
    const after = await owner.open(released.location ?? '');
    expect(after.text).toContain('Released.');
    expect(after.text).toContain('Works');
    expect((await owner.open('/endpoints')).text).toContain('No endpoint fails, and none lost receipts');
  });
});
