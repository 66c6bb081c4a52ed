/** sendChatAppTemplate: what is accepted, and what it costs. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { DemoChatAppTemplates } from '../../../src/demo/chatapp.ts';
import { testEvery } from '../../../src/platform/for-every-testing.ts';
import { addTeam } from '../../support/management/team.ts';
import { type ChatAppCaller, sharedChatApp } from '../../support/requests/chatapp.ts';
import { phones } from '../../support/requests/sms.ts';
import { call, tokenFor } from '../../support/service/api.ts';
import { until } from '../../support/service/pages.ts';

let chat: ChatAppCaller;

beforeAll(async () => {
  chat = await sharedChatApp();
});

const requestId = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
);
const accepted = (addresses: number, units: object) => ({
  result: { type: 'ChatAppResponse', requestId, addresses, units },
});

const sendable: [keyof DemoChatAppTemplates, string][] = [
  ['named', 'UTILITY'],
  ['positional', 'UTILITY'],
  ['image', 'MARKETING'],
  ['video', 'UTILITY'],
  ['document', 'UTILITY'],
  ['location', 'UTILITY'],
  ['buttons', 'MARKETING'],
  ['copy', 'MARKETING'],
  ['coupon', 'MARKETING'],
  ['otp', 'AUTHENTICATION'],
  ['offer', 'MARKETING'],
  ['carousel', 'MARKETING'],
];

describe('200 ChatAppResponse', () => {
  testEvery(sendable)(
    'every kind of template, in both modes: one unit of its category per recipient: %s',
    async (kind, category) => {
      const { id, params } = chat.demo.chatAppTemplates[kind];
      const many = await chat.send(chat.toMany(id, params, ['+254711000000', '0733000000']));
      expect([many.status, many.body]).toEqual([200, accepted(2, { [category]: 2 })]);
      const each = await chat.send(chat.toEach(id, [{ phone: '0711000000', params }]));
      expect([each.status, each.body]).toEqual([200, accepted(1, { [category]: 1 })]);
    },
  );

  test('1 and 10 recipients are accepted in both modes', async () => {
    const { id, params } = chat.demo.chatAppTemplates.otp;
    for (const count of [1, 10]) {
      const entries = phones(count).map((phone) => ({ phone, params }));
      for (const body of [chat.toMany(id, params, phones(count)), chat.toEach(id, entries)])
        expect((await chat.send(body)).body).toEqual(accepted(count, { AUTHENTICATION: count }));
    }
  });

  test('numbers of any country are accepted, without a channel', async () => {
    const { id, params } = chat.demo.chatAppTemplates.otp;
    const answer = await chat.send(chat.toMany(id, params, ['+4915112345678', '+254700000000']));
    expect(answer.body).toEqual(accepted(2, { AUTHENTICATION: 2 }));
  });

  test('somebody whose number is not known is sent to, found, opted out and erased by their user id', async () => {
    const userId = 'KE.ENT.13491208655302741918';
    const { chatAppTemplate, phoneNumberId, chatAppServiceId, smsServiceId, ...client } = await addTeam(
      chat.service,
      { sms: 1 },
    );
    const token = await tokenFor(chat.demo.baseUrl, client);
    const body = { ...chat.toMany(chatAppTemplate.id, chatAppTemplate.params, [userId]), phoneNumberId };
    const send = () => chat.send(body, { token, serviceId: chatAppServiceId });
    const newest = (state: string) =>
      until(
        () => call(chat.demo.baseUrl, `/messages?phone=${userId}`, { method: 'GET', token }),
        ([first]) => first?.state === state,
      );
    expect((await send()).status).toBe(200);
    expect((await newest('Read')).body.items).toMatchObject([{ phone: userId, phoneNumberId }]);

    const optOut = { phones: [userId], product: 'ChatApp', target: 'ALL' };
    expect((await call(chat.demo.baseUrl, '/opt-outs', { token, body: optOut })).body.changed).toBe(1);
    expect((await send()).status).toBe(200);
    await newest('SubscriberOptedOut');

    const sms = { type: 'SendToMany', addresses: [userId], message: 'Habari' };
    expect((await call(chat.demo.baseUrl, `/message/${smsServiceId}`, { token, body: sms })).body).toEqual({
      desc: `Invalid phone numbers: ${userId}`,
    });
    const erased = await chat.service.operate('POST /subjects/erase', {
      phone: userId,
      teamId: client.teamId,
    });
    expect(erased.body).toMatchObject({ messages: 2, optOuts: 1 });
  });

  test('every number of the service can be the sender', async () => {
    const { chatAppTemplates, phoneNumberIds } = chat.demo;
    const { id, params } = chatAppTemplates.otp;
    expect(phoneNumberIds).toHaveLength(2);
    for (const phoneNumberId of phoneNumberIds)
      expect((await chat.send({ ...chat.toMany(id, params), phoneNumberId })).status).toBe(200);
  });

  test('a team without any chat-app account is not billed: units is {}', async () => {
    const { chatAppTemplate, phoneNumberId, chatAppServiceId, ...client } = await addTeam(chat.service);
    const body = chat.toMany(chatAppTemplate.id, chatAppTemplate.params);
    const answer = await chat.send(
      { ...body, phoneNumberId },
      { token: await tokenFor(chat.demo.baseUrl, client), serviceId: chatAppServiceId },
    );
    expect([answer.status, answer.body]).toEqual([200, accepted(1, {})]);
  });
});
