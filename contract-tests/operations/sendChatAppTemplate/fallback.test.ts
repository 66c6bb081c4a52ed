/** sendChatAppTemplate with an SMS in reserve: what the preview and the messages say of both. */
import { expect, test } from '@jest/globals';
import { sharedChatApp } from '../../support/requests/chatapp.ts';
import { until } from '../../support/service/pages.ts';
import { sharedTeam } from '../../support/shared/team.ts';

test('the preview shows the text of the SMS and the cost of both; a message that is refused is followed by it', async () => {
  const { team, post, get } = await sharedTeam({ sms: 10, chatApp: { UTILITY: 10 } });
  const { chatAppTemplate, phoneNumberId, chatAppServiceId, smsServiceId } = team;
  const { toMany } = await sharedChatApp();
  const fallback = { serviceId: smsServiceId, after: 600, message: 'Habari Asha' };
  const more = { phoneNumberId, fallback };
  const body = toMany(chatAppTemplate.id, chatAppTemplate.params, ['+254711000012'], more);
  expect((await post(`/message/${chatAppServiceId}/chatapp/preview`, body)).body).toMatchObject({
    sendable: true,
    addresses: 1,
    accounts: [
      { product: 'ChatApp', category: 'UTILITY', units: 1, remaining: 9 },
      { product: 'Sms', units: 1, remaining: 9 },
    ],
    recipients: [{ units: 1, fallback: { text: 'Habari Asha', units: 1, parts: 1 } }],
  });

  const sent = await post(`/message/${chatAppServiceId}/chatapp`, body);
  expect([sent.status, sent.body.result]).toMatchObject([200, { addresses: 1, units: { UTILITY: 1 } }]);
  const { body: page } = await until(
    () => get(`/requests/${sent.body.result.requestId}/messages`),
    (items) => items.map(({ state }) => state).join() === 'Failed,Delivered',
  );
  const [refused, sms] = page.items;
  expect(refused).toMatchObject({ product: 'ChatApp', refunded: true, fallbackId: sms.messageId });
  expect(sms).toMatchObject({ product: 'Sms', refunded: false, fallbackOf: refused.messageId });
});
