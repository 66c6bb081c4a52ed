/** A phone that writes to a service of the sandbox. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Receiver, startReceiver, startTestSandbox, type TestSandbox } from './sandbox-testing.ts';

let sandbox: TestSandbox;
let receiver: Receiver;
beforeAll(async () => {
  sandbox = await startTestSandbox();
  receiver = await startReceiver(sandbox.description.signingSecret);
});
afterAll(async () => {
  await receiver.close();
  await sandbox.stop();
});

test('a phone replies to a service: the reply is posted with the request, and a service that is unknown gets 404', async () => {
  await sandbox.send(`/message/${sandbox.description.serviceId}`, {
    type: 'SendToMany',
    addresses: ['+254711000000'],
    message: 'Habari',
    receiptRequest: { correlator: 'order-17', callbackUrl: receiver.url },
  });
  await sandbox.control('POST', '/sandbox/clock', { advance: 'PT1S' });
  const { serviceId, chatAppServiceId } = sandbox.description;
  const text = { from: '+254711000000', serviceId, text: 'Asante', callbackUrl: receiver.url };
  expect((await sandbox.control('POST', '/sandbox/inbound-messages', text)).status).toBe(204);
  const chat = { ...text, serviceId: chatAppServiceId, text: 'Habari' };
  expect((await sandbox.control('POST', '/sandbox/inbound-messages', chat)).status).toBe(204);
  await sandbox.control('POST', '/sandbox/clock', { advance: 'PT1S' });
  const heard = receiver.received.filter(({ type }) => type === 'InboundMessage');
  expect(heard).toMatchObject([
    {
      product: 'Sms',
      serviceId,
      from: '+254711000000',
      text: 'Asante',
      inReplyTo: { correlator: 'order-17' },
    },
    { product: 'ChatApp', serviceId: chatAppServiceId, text: 'Habari' },
  ]);
  const nobody = { ...text, serviceId: 'nobody' };
  expect((await sandbox.control('POST', '/sandbox/inbound-messages', nobody)).status).toBe(404);
});
