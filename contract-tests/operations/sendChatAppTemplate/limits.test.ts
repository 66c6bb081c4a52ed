/** sendChatAppTemplate: the rate limit and the balance of a category, at their edges. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addChatAppTemplate, addTeam } from '../../support/management/team.ts';
import { expectBurstLimited } from '../../support/requests/burst.ts';
import { type ChatAppService, startChatApp } from '../../support/requests/chatapp.ts';
import { phones } from '../../support/requests/sms.ts';
import { tokenFor } from '../../support/service/api.ts';
import { unbalancedAccounts, withStoredData } from '../../support/service/stored-data.ts';

let chat: ChatAppService;

beforeAll(async () => {
  chat = await startChatApp({ RATE_LIMIT_PER_SECOND: '20' });
});
afterAll(() => chat?.service.dispose());

test('429 The limit of <n> messages per second is exceeded.: counted in recipients as sent', async () => {
  const { id, params } = chat.demo.chatAppTemplates.otp;
  const twice = Array(10).fill('0711000000');
  await expectBurstLimited(() => chat.send(chat.toMany(id, params, twice)), {
    sent: 4,
    pass: 2,
    sentence: 'The limit of 20 messages per second is exceeded.',
  });
});

test('a request rejected by a later check does not count towards the limit', async () => {
  await delay(1_000);
  const { id } = chat.demo.chatAppTemplates.otp;
  for (let round = 0; round < 5; round += 1) {
    const answer = await chat.send(chat.toMany(id, [], phones(10)));
    expect(answer.body.desc).toBe('Template parameter validation failed');
  }
});

test('400 Insufficient units for <n> unit(s) requested.: whole requests, of the category only', async () => {
  // Without an account for MARKETING.
  const team = await addTeam(chat.service, { chatApp: { UTILITY: 11 } });
  const { teamId, phoneNumberId, chatAppServiceId: serviceId } = team;
  const { id, params } = team.chatAppTemplate;
  const offer = { id: `${teamId}-offer`, teamId, category: 'MARKETING' };
  await addChatAppTemplate(chat.service, offer);
  const token = await tokenFor(chat.demo.baseUrl, team);
  const send = (templateId: string, addresses: string[]) =>
    chat.send({ ...chat.toMany(templateId, params, addresses), phoneNumberId }, { token, serviceId });
  const insufficient = (units: number) => [
    400,
    { desc: `Insufficient units for ${units} unit(s) requested.` },
  ];

  expect((await send(id, phones(9))).body.result.units).toEqual({ UTILITY: 9 });
  const three = await send(id, phones(3));
  expect([three.status, three.body]).toEqual(insufficient(3));
  const none = await send(offer.id, ['0711000000', '+254711000000']);
  expect([none.status, none.body]).toEqual(insufficient(1));
  await delay(1_000);
  expect((await send(id, phones(2))).body.result.units).toEqual({ UTILITY: 2 });
  const one = await send(id, phones(1));
  expect([one.status, one.body]).toEqual(insufficient(1));

  await chat.service.stop();
  await withStoredData(chat.service, async (knex) => {
    const balances = await knex('accounts').where({ team_id: teamId }).pluck('balance');
    expect(balances.map(Number)).toEqual([0]);
    expect(await unbalancedAccounts(knex)).toEqual([]);
  });
});
