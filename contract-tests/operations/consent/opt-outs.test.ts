/** Opt-outs as clients keep them: added, listed, respected by sends, shown by previews, removed with a reason. */
import { beforeAll, expect, test } from '@jest/globals';
import { bundleToEach, selfService } from '../../support/requests/disbursement.ts';
import { toMany } from '../../support/requests/sms.ts';
import type { Answer } from '../../support/service/api.ts';
import { until } from '../../support/service/pages.ts';
import { sharedTeam, type TeamCaller } from '../../support/shared/team.ts';

let client: TeamCaller;
let team: TeamCaller['team'];
beforeAll(async () => {
  client = await sharedTeam({ sms: 100, data: 10 });
  ({ team } = client);
});

const post: TeamCaller['post'] = (...asked) => client.post(...asked);
const list = (query = '', by = client) => by.get(`/opt-outs${query}`);
const add = (phones: string[], more: object = {}, by = client) =>
  by.post('/opt-outs', { phones, product: 'Sms', target: 'ALL', ...more });
const remove = (phones: string[], more: object = {}) =>
  post('/opt-outs/remove', { phones, product: 'Sms', consent: 'Web form, 2026-11-21', ...more });
const send = (addresses: string[]) => post(`/message/${team.smsServiceId}`, toMany(addresses));
const messagesTo = (phone: string) => client.get(`/messages?phone=${encodeURIComponent(phone)}`);

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
  const other = await sharedTeam({});
  const phones = ['+254711200001', '+254711200002', '+254711200003'];
  for (const phone of phones) await add([phone], {}, other);
  await add(['+254711200003'], { serviceId: other.team.smsServiceId, target: 'MARKETING' }, other);
  const { body: whole } = await list('', other);
  expect(whole.items.map(({ phone }: { phone: string }) => phone)).toEqual([
    '+254711200003',
    ...phones.toReversed(),
  ]);
  expect(whole.items[0]).toEqual({
    phone: '+254711200003',
    product: 'Sms',
    serviceId: other.team.smsServiceId,
    target: 'MARKETING',
    source: 'Client',
    createdAt: expect.any(String),
  });
  const { body: first } = await list('?limit=2', other);
  const { body: second } = await list(`?limit=2&cursor=${encodeURIComponent(first.next)}`, other);
  expect([...first.items, ...second.items]).toEqual(whole.items);
  expect(second.next).toBeUndefined();
  const { body: found } = await list('?phone=0711200002', other);
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

/** Of each recipient in the preview of a send that stays sendable. */
async function problemsOf(path: string, body: object) {
  const { body: shown } = await post(`${path}/preview`, body);
  expect(shown.sendable).toBe(true);
  return shown.recipients.map(({ problems }: Answer['body']) => problems);
}
const optedOut = { code: 'opted-out', desc: expect.stringContaining('opted out') };

test('previews name those who opted out of the product; of a bundle only its SMS is affected', async () => {
  const [out, other] = ['+254711700000', '+254711700001'];
  await add([out]);
  expect(await problemsOf(`/message/${team.smsServiceId}`, toMany([out, other]))).toEqual([[optedOut], []]);
  const bundle = { phone: out, denomination: '100MB' };
  const messaging = selfService(team.smsServiceId);
  const body = bundleToEach([{ ...bundle, message: 'Asante' }, bundle], { messaging });
  expect(await problemsOf(`/data/${team.campaignId}`, body)).toEqual([[optedOut], []]);

  await add([other], { product: 'ChatApp' });
  const { phoneNumberId, chatAppTemplate } = team;
  const template = { phoneNumberId, templateId: chatAppTemplate.id, params: chatAppTemplate.params };
  const chat = { type: 'TemplateSendToMany', ...template, addresses: [out, other] };
  expect(await problemsOf(`/message/${team.chatAppServiceId}/chatapp`, chat)).toEqual([[], [optedOut]]);
});

test('404 for a service of another product', async () => {
  const answer = await add(['+254711000000'], { serviceId: team.smsServiceId, product: 'ChatApp' });
  expect([answer.status, answer.headers.get('error-code')]).toEqual([404, 'service-unknown']);
});
