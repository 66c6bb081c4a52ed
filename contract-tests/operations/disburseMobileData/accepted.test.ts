/** disburseMobileData: what is accepted, and what it costs. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { testEvery } from '../../../src/platform/for-every-testing.ts';
import {
  bundleToEach,
  bundleToMany,
  type DataCaller,
  defaultService,
  selfService,
  sharedData,
} from '../../support/requests/disbursement.ts';
import { phones } from '../../support/requests/sms.ts';

let data: DataCaller;

beforeAll(async () => {
  data = await sharedData();
});

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('200, not wrapped', () => {
  test('SendToMany: a bundle per recipient, by channel and denomination', async () => {
    const answer = await data.disburse(bundleToMany(['+254711000000', '0733000000', '254722000000'], '1GB'));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      requestId: expect.stringMatching(uuid4),
      units: { Safaricom: { '1GB': 2 }, Airtel: { '1GB': 1 } },
      addresses: { Safaricom: 2, Airtel: 1 },
    });
  });

  test('SendToEach: denominations of their own; a channel without recipients has no units', async () => {
    const answer = await data.disburse(
      bundleToEach([
        { phone: '+254711000000', denomination: '100MB' },
        { phone: '0711 000 001', denomination: '500MB' },
        { phone: '0712-000-001', denomination: '500MB' },
      ]),
    );
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        requestId: expect.stringMatching(uuid4),
        units: { Safaricom: { '100MB': 1, '500MB': 2 }, Airtel: {} },
        addresses: { Safaricom: 3, Airtel: 0 },
      },
    ]);
  });

  test.each([1, 100])('%i recipients, in both modes', async (count) => {
    const many = await data.disburse(bundleToMany(phones(count)));
    expect([many.status, many.body.addresses]).toEqual([200, { Safaricom: count, Airtel: 0 }]);
    const disbursements = phones(count, '+25473300').map((phone) => ({ phone, denomination: '500MB' }));
    const each = await data.disburse(bundleToEach(disbursements));
    expect([each.status, each.body.units]).toEqual([200, { Safaricom: {}, Airtel: { '500MB': count } }]);
  });
});

describe('200 with an SMS; units and addresses count bundles only', () => {
  const only = { Safaricom: { '1GB': 1 }, Airtel: {} };

  testEvery<[string, () => object]>([
    [
      'SendToMany, DefaultService',
      () => bundleToMany(['0711000000'], '1GB', { messaging: { message: 'Enjoy', ...defaultService } }),
    ],
    [
      'SendToMany, SelfService',
      () =>
        bundleToMany(['0711000000'], '1GB', {
          messaging: { message: 'a'.repeat(960), ...selfService(data.demo.smsServiceId) },
        }),
    ],
    [
      'SendToEach, DefaultService',
      () =>
        bundleToEach([{ phone: '0711000000', denomination: '1GB', message: 'Enjoy' }], {
          messaging: defaultService,
        }),
    ],
    [
      'SendToEach, SelfService',
      () =>
        bundleToEach([{ phone: '0711000000', denomination: '1GB', message: 'a'.repeat(960) }], {
          messaging: selfService(data.demo.smsServiceId),
        }),
    ],
    [
      "SendToEach without a selection: the campaign's own service",
      () => bundleToEach([{ phone: '0711000000', denomination: '1GB', message: 'Enjoy' }]),
    ],
    [
      'SendToEach without any message',
      () => bundleToEach([{ phone: '0711000000', denomination: '1GB' }], { messaging: defaultService }),
    ],
  ])('%s', async (_mode, body) => {
    const answer = await data.disburse(body());
    expect([answer.status, answer.body.units, answer.body.addresses]).toEqual([
      200,
      only,
      { Safaricom: 1, Airtel: 0 },
    ]);
  });
});
