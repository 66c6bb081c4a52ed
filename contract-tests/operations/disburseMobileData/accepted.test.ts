/** disburseMobileData: what is accepted, and what it costs. */
import { beforeAll, expect, test } from '@jest/globals';
import { bundleToEach, type DataCaller, sharedData } from '../../support/requests/disbursement.ts';

let data: DataCaller;

beforeAll(async () => {
  data = await sharedData();
});

test('200, not wrapped: bundles by channel and denomination, whatever SMS comes with them', async () => {
  const answer = await data.disburse(
    bundleToEach([
      { phone: '+254711000000', denomination: '100MB' },
      { phone: '0711 000 001', denomination: '500MB', message: 'Enjoy' },
      { phone: '0712-000-001', denomination: '500MB' },
    ]),
  );
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      requestId: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      units: { Safaricom: { '100MB': 1, '500MB': 2 }, Airtel: {} },
      addresses: { Safaricom: 3, Airtel: 0 },
    },
  ]);
});
