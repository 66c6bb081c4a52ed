/** A sandbox that accepts any id, for programs whose ids are those of production. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chatAppTemplates } from '../../../demo/chatapp-templates.ts';
import { startTestSandbox, type TestSandbox } from '../sandbox-testing.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox({ anyId: true });
});
afterAll(() => sandbox.stop());

const phone = '+254711000000';
const sent = async (path: string, body: object) => {
  const { status, body: answer } = await sandbox.send(path, body);
  return [status, answer] as [number, { desc?: string; units?: object }];
};
const sms = { type: 'SendToMany', addresses: [phone], message: 'Habari' };
const shared = { type: 'TemplateSendToMany', addresses: [phone] };

test('an SMS through any service, several at once', async () => {
  const answers = await Promise.all(Array.from({ length: 4 }, () => sent('/message/acme-sms', sms)));
  expect(answers.map(([status]) => status)).toEqual([200, 200, 200, 200]);
});

test('a template is made of the parameters of its first request, and checked from then on', async () => {
  const send = (...names: string[]) => {
    const params = names.map((name) => ({ name, value: 'x' }));
    return sent('/message/acme-sms', { ...shared, templateId: 'acme-order', params });
  };
  expect((await send('name', 'order'))[0]).toBe(200);
  expect(await send('name')).toMatchObject([
    400,
    { result: { errors: ["Missing required parameter 'order'"] } },
  ]);
  expect((await sandbox.list('messages')).at(-1)?.text).toBe('x x');
});

test('a bundle in any campaign, with an SMS through any service', async () => {
  const disbursements = [{ phone, denomination: '1GB', message: 'Enjoy' }];
  const messaging = { serviceSelection: { type: 'SelfService', serviceId: 'acme-notices' } };
  expect(await sent('/data/acme-gifts', { type: 'SendToEach', disbursements, messaging })).toMatchObject([
    200,
    { units: { Safaricom: { '1GB': 1 } } },
  ]);
});

test('chat-app templates of every kind, from any number of any service', async () => {
  for (const [kind, { params }] of Object.entries(chatAppTemplates)) {
    const body = { ...shared, phoneNumberId: '4711', templateId: `acme-${kind}`, params };
    expect([kind, ...(await sent('/message/acme-chat/chatapp', body))]).toMatchObject([kind, 200, {}]);
  }
});

test('the demo keeps its own templates and campaigns', async () => {
  expect(
    await sent('/message/demo-sms', { ...shared, templateId: 'order-shipped', params: [] }),
  ).toMatchObject([400, { desc: 'Template parameter validation failed' }]);
  expect(
    (await sent('/data/demo-archived', { type: 'SendToMany', phones: [phone], denomination: '1GB' }))[0],
  ).toBe(400);
});

test('what is no request is rejected as ever', async () => {
  expect((await sent('/message/acme-sms', []))[0]).toBe(400);
  expect((await sent('/message/acme.sms', sms))[0]).toBe(404);
});
