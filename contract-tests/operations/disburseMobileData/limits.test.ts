/** disburseMobileData: the rate limit and the balances, at their edges. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addTeam } from '../../support/management/team.ts';
import { expectBurstLimited } from '../../support/requests/burst.ts';
import {
  bundleToMany,
  type DataService,
  defaultService,
  sharedData,
  startData,
} from '../../support/requests/disbursement.ts';
import { phones, toMany } from '../../support/requests/sms.ts';
import { call, tokenFor } from '../../support/service/api.ts';

let data: DataService;

beforeAll(async () => {
  data = await startData();
});
afterAll(() => data.service.dispose());

const hundred = bundleToMany(phones(100));

test('429 The limit of 400 disbursements per second is exceeded. — a request counts as a whole', async () => {
  await expectBurstLimited(() => data.disburse(hundred), {
    sent: 8,
    pass: 4,
    sentence: 'The limit of 400 disbursements per second is exceeded.',
  });
  // Each operation has a limit of its own.
  const sms = await call(data.demo.baseUrl, `/message/${data.demo.smsServiceId}`, {
    token: data.token,
    body: toMany(phones(100)),
  });
  expect(sms.status).toBe(200);
});

test('200 if both balances cover it; with one unit more the whole request is rejected', async () => {
  // 16 requests of 100 recipients and 6 units each leave 400 SMS units.
  const { service, disburse } = await sharedData();
  const team = await addTeam(service, { sms: 10_000, data: 1_000 });
  const options = { token: await tokenFor(service.demo.baseUrl, team), campaignId: team.campaignId };
  const give = (denomination: string, count: number, message: string) =>
    disburse(
      bundleToMany(phones(count), denomination, { messaging: { ...defaultService, message } }),
      options,
    );
  for (let sent = 0; sent < 16; sent += 1) {
    const answer = await give(sent < 10 ? '1GB' : '500MB', 100, 'a'.repeat(960));
    expect(answer.status).toBe(200);
  }
  const noBundles = await disburse(bundleToMany(phones(1), '1GB'), options);
  expect(noBundles.body).toEqual({ desc: 'Insufficient units for 1 unit(s) requested.' });
  const noUnits = await give('500MB', 100, 'a'.repeat(641));
  expect([noUnits.status, noUnits.body]).toEqual([
    400,
    { desc: 'Insufficient units for 500 unit(s) requested.' },
  ]);
  expect((await give('500MB', 100, 'a'.repeat(640))).status).toBe(200);
  // The rejected requests debited no bundle: 1,000 − 600 − 100 are left.
  for (let sent = 0; sent < 3; sent += 1)
    expect((await disburse(bundleToMany(phones(100), '500MB'), options)).status).toBe(200);
  const empty = await disburse(bundleToMany(phones(1), '500MB'), options);
  expect(empty.body).toEqual({ desc: 'Insufficient units for 1 unit(s) requested.' });
});
