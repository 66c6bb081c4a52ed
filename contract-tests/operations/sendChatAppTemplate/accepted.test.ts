/** sendChatAppTemplate: what is accepted, and what it costs. */
import { beforeAll, expect, test } from '@jest/globals';
import { type ChatAppCaller, sharedChatApp } from '../../support/requests/chatapp.ts';
import { toMany } from '../../support/requests/sms.ts';
import { until } from '../../support/service/pages.ts';
import { sharedTeam } from '../../support/shared/team.ts';

let chat: ChatAppCaller;

beforeAll(async () => {
  chat = await sharedChatApp();
});

test('200 ChatAppResponse: units by category, numbers of any country, without a channel', async () => {
  const { id, params } = chat.demo.chatAppTemplates.otp;
  const answer = await chat.send(chat.toMany(id, params, ['+4915112345678', '0711000000']));
  const requestId = expect.stringMatching(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  expect([answer.status, answer.body]).toEqual([
    200,
    { result: { type: 'ChatAppResponse', requestId, addresses: 2, units: { AUTHENTICATION: 2 } } },
  ]);
});

test('somebody whose number is not known is sent to, found, opted out and erased by their user id', async () => {
  const userId = 'KE.ENT.13491208655302741918';
  const { team, post, get } = await sharedTeam({ sms: 1 });
  const { chatAppTemplate, phoneNumberId, chatAppServiceId, smsServiceId, teamId } = team;
  const body = { ...chat.toMany(chatAppTemplate.id, chatAppTemplate.params, [userId]), phoneNumberId };
  const send = () => post(`/message/${chatAppServiceId}/chatapp`, body);
  const newest = (state: string) =>
    until(
      () => get(`/messages?phone=${userId}`),
      ([first]) => first?.state === state,
    );
  expect((await send()).status).toBe(200);
  expect((await newest('Read')).body.items).toMatchObject([{ phone: userId, phoneNumberId }]);

  const optOut = { phones: [userId], product: 'ChatApp', target: 'ALL' };
  expect((await post('/opt-outs', optOut)).body.changed).toBe(1);
  expect((await send()).status).toBe(200);
  await newest('SubscriberOptedOut');

  const sms = await post(`/message/${smsServiceId}`, toMany([userId]));
  expect(sms.body).toEqual({ desc: `Invalid phone numbers: ${userId}` });
  const erased = await chat.service.operate('POST /subjects/erase', { phone: userId, teamId });
  expect(erased.body).toMatchObject({ messages: 2, optOuts: 1 });
});

test('200 ChatAppResponse: a team without any chat-app account is not billed', async () => {
  const { team, post } = await sharedTeam({});
  const { chatAppTemplate, phoneNumberId, chatAppServiceId } = team;
  const template = chat.toMany(chatAppTemplate.id, chatAppTemplate.params);
  const { body } = await post(`/message/${chatAppServiceId}/chatapp`, { ...template, phoneNumberId });
  expect(body.result).toMatchObject({ addresses: 1, units: {} });
});
