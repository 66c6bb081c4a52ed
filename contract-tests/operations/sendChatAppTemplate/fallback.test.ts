/** sendChatAppTemplate with an SMS in reserve: what the preview, the messages and the balance say of both. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { addTeam } from '../../support/management/team.ts';
import { type ChatAppCaller, sharedChatApp } from '../../support/requests/chatapp.ts';
import { call, tokenFor } from '../../support/service/api.ts';
import { until } from '../../support/service/pages.ts';

let chat: ChatAppCaller;

beforeAll(async () => {
  chat = await sharedChatApp();
});

/** A team with ten units of both, and what it asks for. */
async function team() {
  const { chatAppTemplate, phoneNumberId, chatAppServiceId, smsServiceId, ...client } = await addTeam(
    chat.service,
    { sms: 10, chatApp: { UTILITY: 10 } },
  );
  const token = await tokenFor(chat.demo.baseUrl, client);
  const get = (path: string) => call(chat.demo.baseUrl, path, { method: 'GET', token });
  const fallback = { serviceId: smsServiceId, after: 600, message: 'Habari Asha' };
  const bodyTo = (phone: string) => ({
    ...chat.toMany(chatAppTemplate.id, chatAppTemplate.params, [phone], { fallback }),
    phoneNumberId,
  });
  const balances = async () =>
    (await get('/balances')).body.items.map(({ balance }: { balance: number }) => balance);
  return {
    balances,
    preview: (phone: string) =>
      call(chat.demo.baseUrl, `/message/${chatAppServiceId}/chatapp/preview`, { token, body: bodyTo(phone) }),
    /** Both messages, once they are in these states. */
    send: async (phone: string, states: readonly [chat: string, sms: string]) => {
      const { status, body } = await chat.send(bodyTo(phone), { token, serviceId: chatAppServiceId });
      expect([status, body.result]).toMatchObject([200, { addresses: 1, units: { UTILITY: 1 } }]);
      const { body: page } = await until(
        () => get(`/requests/${body.result.requestId}/messages`),
        (items) => items.length === 2 && items.every(({ state }, place) => state === states[place]),
      );
      return page.items;
    },
  };
}

describe('with an SMS in reserve', () => {
  test('the preview shows its text, and the cost of both', async () => {
    const { preview } = await team();
    const { body } = await preview('+254711000000');
    expect(body).toMatchObject({
      sendable: true,
      addresses: 1,
      accounts: [
        { product: 'ChatApp', category: 'UTILITY', units: 1, remaining: 9 },
        { product: 'Sms', units: 1, remaining: 9 },
      ],
      recipients: [{ units: 1, fallback: { text: 'Habari Asha', units: 1, parts: 1 } }],
    });
  });

  test('a message that is refused is followed by its SMS, and one of both is paid for', async () => {
    const { send, balances } = await team();
    const [refused, sms] = await send('+254711000012', ['Failed', 'Delivered']);
    expect(refused).toMatchObject({ product: 'ChatApp', refunded: true, fallbackId: sms.messageId });
    expect(sms).toMatchObject({ product: 'Sms', refunded: false, fallbackOf: refused.messageId });
    expect((await balances()).sort()).toEqual([10, 9]);
  });

  test('a message that is delivered in time gives the units of its SMS back', async () => {
    const { send, balances } = await team();
    const [read, sms] = await send('+254711000000', ['Read', 'Cancelled']);
    expect(read).toMatchObject({ refunded: false, fallbackId: sms.messageId });
    expect(sms).toMatchObject({
      refunded: true,
      reason: 'The chat-app message that it was in reserve for was delivered',
      reasonCode: 'fallback-not-needed',
    });
    expect((await balances()).sort()).toEqual([10, 9]);
  });
});
