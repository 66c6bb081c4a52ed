/** Every operation that accepts messages rejects them while earlier requests wait for the database. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { call } from '../../support/service/api.ts';
import { startDemoClient } from '../../support/service/demo-client.ts';
import type { Service } from '../../support/service/service.ts';

const addresses = ['+254711000000'];
const params = [{ type: 'BodyNamedParameter', name: 'name', value: 'Asha' }];

const operations: [
  name: string,
  path: (demo: Service['demo']) => string,
  body: (demo: Service['demo']) => object,
][] = [
  [
    'sendSms',
    ({ smsServiceId }) => `/message/${smsServiceId}`,
    () => ({ type: 'SendToMany', addresses, message: 'Habari' }),
  ],
  [
    'disburseMobileData',
    ({ campaigns }) => `/data/${campaigns.open}`,
    () => ({ type: 'SendToMany', phones: addresses, denomination: '100MB' }),
  ],
  [
    'sendChatAppTemplate',
    ({ chatAppServiceId }) => `/message/${chatAppServiceId}/chatapp`,
    ({ phoneNumberIds: [phoneNumberId] }) => ({
      type: 'TemplateSendToMany',
      phoneNumberId,
      templateId: 'chat-greeting',
      addresses,
      params,
    }),
  ],
];

let service: Service;
let token: string;

beforeAll(async () => {
  // A request that waits at all waits too long.
  ({ service, token } = await startDemoClient({ OVERLOADED_AFTER_MS: '0' }));
});
afterAll(() => service?.dispose());

test.each(operations)('429 The service is overloaded. Try again later. — %s', async (_, path, body) => {
  const { demo } = service;
  const send = () => call(demo.baseUrl, path(demo), { token, body: body(demo) });
  const together = async () => (await Promise.all(Array.from({ length: 120 }, send))).filter(isRefused);
  let refused = await together();
  // One lot may just fit. Three of them stay below the team's 400 messages a second.
  for (let lots = 1; refused.length === 0 && lots < 3; lots += 1) refused = await together();
  expect(refused.length).toBeGreaterThan(0);
  for (const { body: said, headers } of refused) {
    expect(said).toEqual({
      error: 'rate_limit_exceeded',
      error_description: 'The service is overloaded. Try again later.',
    });
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  }
  expect((await send()).status).toBe(200);
});

const isRefused = ({ status }: { status: number }) => status !== 200;
