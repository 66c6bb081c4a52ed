/** Opt-outs as clients keep them: added, listed, respected by sends, shown by previews, removed with a reason. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { addTeam, type Team } from '../../support/management/team.ts';
import { type Answer, call, tokenFor } from '../../support/service/api.ts';
import type { DemoCaller } from '../../support/service/demo-client.ts';
import { until } from '../../support/service/pages.ts';
import { sharedDemo } from '../../support/shared/service.ts';

let client: DemoCaller;
let team: Team;
let token: string;

beforeAll(async () => {
  client = await sharedDemo();
  [team, token] = await newTeam();
});

async function newTeam(): Promise<[Team, string]> {
  const made = await addTeam(client.service, { sms: 100, data: 10 });
  return [made, await tokenFor(client.demo.baseUrl, made)];
}

const post = (path: string, body: unknown, by = token): Promise<Answer> =>
  call(client.demo.baseUrl, path, { token: by, body });
const list = (query = '', by = token) =>
  call(client.demo.baseUrl, `/opt-outs${query}`, { method: 'GET', token: by });
const add = (phones: string[], more: object = {}, by?: string) =>
  post('/opt-outs', { phones, product: 'Sms', target: 'ALL', ...more }, by);
const remove = (phones: string[], more: object = {}, by?: string) =>
  post('/opt-outs/remove', { phones, product: 'Sms', consent: 'Web form, 2026-11-21', ...more }, by);
const send = (addresses: string[]) =>
  post(`/message/${team.smsServiceId}`, { type: 'SendToMany', addresses, message: 'Habari' });

async function messagesTo(phone: string) {
  return call(client.demo.baseUrl, `/messages?phone=${encodeURIComponent(phone)}`, { method: 'GET', token });
}

test('200: a number that opted out gets nothing, is refunded, and gets messages again once it was removed', async () => {
  const phone = '+254711100000';
  expect(await add([phone, '0711 100 000'])).toMatchObject({
    status: 200,
    body: { changed: 1, unchanged: 0 },
  });
  expect((await add([phone])).body).toEqual({ changed: 0, unchanged: 1 });
  expect((await send([phone])).status).toBe(200);
  const { body } = await until(
    () => messagesTo(phone),
    ([first]) => first?.state === 'SubscriberOptedOut',
  );
  expect(body.items[0]).toMatchObject({
    refunded: true,
    reason: 'The recipient opted out',
    reasonCode: 'opt-out-list',
  });
  expect((await remove([phone])).body).toEqual({ changed: 1, unchanged: 0 });
  expect((await remove([phone])).body).toEqual({ changed: 0, unchanged: 1 });
  expect((await send([phone])).status).toBe(200);
  await until(
    () => messagesTo(phone),
    ([first]) => first?.state === 'Delivered',
  );
});

test('200: the list is of the team, newest first, page by page or for one number', async () => {
  const [other, otherToken] = await newTeam();
  const phones = ['+254711200001', '+254711200002', '+254711200003'];
  for (const phone of phones) await add([phone], {}, otherToken);
  await add(['+254711200003'], { serviceId: other.smsServiceId, target: 'MARKETING' }, otherToken);
  const { body: whole } = await list('', otherToken);
  expect(whole.items.map(({ phone }: { phone: string }) => phone)).toEqual([
    '+254711200003',
    ...phones.toReversed(),
  ]);
  expect(whole.items[0]).toEqual({
    phone: '+254711200003',
    product: 'Sms',
    serviceId: other.smsServiceId,
    target: 'MARKETING',
    source: 'Client',
    createdAt: expect.any(String),
  });
  const { body: first } = await list('?limit=2', otherToken);
  const { body: second } = await list(`?limit=2&cursor=${encodeURIComponent(first.next)}`, otherToken);
  expect([...first.items, ...second.items]).toEqual(whole.items);
  expect(second.next).toBeUndefined();
  const { body: found } = await list('?phone=0711200002', otherToken);
  expect(found.items).toEqual([whole.items[2]]);
});

test('MARKETING becomes ALL, and ALL does not become MARKETING', async () => {
  const phone = '+254711400000';
  const targets = async () =>
    (await list(`?phone=${encodeURIComponent(phone)}`)).body.items.map(
      ({ target }: { target: string }) => target,
    );
  await add([phone], { target: 'MARKETING' });
  expect((await add([phone])).body).toEqual({ changed: 1, unchanged: 0 });
  expect((await add([phone], { target: 'MARKETING' })).body).toEqual({ changed: 0, unchanged: 1 });
  expect(await targets()).toEqual(['ALL']);
});

test('without a service, those of the team and of each of its services are removed', async () => {
  const phone = '+254711500000';
  await add([phone]);
  await add([phone], { serviceId: team.smsServiceId });
  expect((await remove([phone], { serviceId: team.smsServiceId })).body.changed).toBe(1);
  await add([phone], { serviceId: team.smsServiceId });
  expect((await remove([phone])).body).toEqual({ changed: 1, unchanged: 0 });
  expect((await list(`?phone=${encodeURIComponent(phone)}`)).body.items).toEqual([]);
});

test('a removal is in the audit log with its reason, and without the number', async () => {
  const phone = '+254711600000';
  await add([phone]);
  await remove([phone]);
  const { body, text } = await client.service.operate(`GET /audit?noun=opt-out&teamId=${team.teamId}`);
  expect(body.items[0]).toMatchObject({
    actor: { kind: 'client', name: team.clientId },
    action: 'remove',
    before: { product: 'Sms', entries: [{ target: 'ALL', source: 'Client' }] },
    after: { consent: 'Web form, 2026-11-21' },
  });
  expect(text).not.toContain('254711600000');
});

describe('previews', () => {
  const optedOut = { code: 'opted-out', desc: expect.stringContaining('opted out') };

  test('an SMS names those who opted out, and stays sendable', async () => {
    await add(['+254711700000']);
    const { body } = await post(`/message/${team.smsServiceId}/preview`, {
      type: 'SendToMany',
      addresses: ['+254711700000', '+254711700001'],
      message: 'Habari',
    });
    expect(body.sendable).toBe(true);
    expect(body.recipients.map(({ problems }: Answer['body']) => problems)).toEqual([[optedOut], []]);
  });

  test('a bundle: only its SMS is affected', async () => {
    await add(['+254711700002']);
    const { body } = await post(`/data/${team.campaignId}/preview`, {
      type: 'SendToEach',
      disbursements: [
        { phone: '+254711700002', denomination: '100MB', message: 'Asante' },
        { phone: '+254711700002', denomination: '100MB' },
      ],
      messaging: { serviceSelection: { type: 'SelfService', serviceId: team.smsServiceId } },
    });
    expect(body.recipients?.map(({ problems }: Answer['body']) => problems)).toEqual([[optedOut], []]);
  });

  test('a chat-app template', async () => {
    await add(['+254711700003'], { product: 'ChatApp' });
    const { body } = await post(`/message/${team.chatAppServiceId}/chatapp/preview`, {
      type: 'TemplateSendToMany',
      phoneNumberId: team.phoneNumberId,
      templateId: team.chatAppTemplate.id,
      addresses: ['+254711700003'],
      params: team.chatAppTemplate.params,
    });
    expect(body.recipients?.map(({ problems }: Answer['body']) => problems)).toEqual([[optedOut]]);
  });
});

test('404 for a service of another product', async () => {
  const answer = await add(['+254711000000'], { serviceId: team.smsServiceId, product: 'ChatApp' });
  expect([answer.status, answer.headers.get('error-code')]).toEqual([404, 'service-unknown']);
});
