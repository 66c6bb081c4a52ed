/** sendSms: the rate limit and the balance, at their edges. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { edit } from '../../support/management/caller.ts';
import { addTeam } from '../../support/management/team.ts';
import { expectBurstLimited } from '../../support/requests/burst.ts';
import { phones, type SmsService, sharedSms, startSms, toMany } from '../../support/requests/sms.ts';
import { tokenFor } from '../../support/service/api.ts';

let sms: SmsService;

beforeAll(async () => {
  sms = await startSms();
});
afterAll(() => sms.service.dispose());

const hundred = toMany(phones(100));

test('429 The limit of 400 messages per second is exceeded. — a rejected request counts nothing', async () => {
  const key = randomUUID();
  await expectBurstLimited(() => sms.send(hundred), {
    sent: 8,
    pass: 4,
    sentence: 'The limit of 400 messages per second is exceeded.',
  });
  const late = await sms.send(hundred, { headers: { 'idempotency-key': key } });
  await delay(1_000);
  // The rejected ones did not count towards this second, and stored no key.
  const next = await Promise.all(Array.from({ length: 3 }, () => sms.send(hundred)));
  expect(next.map(({ status }) => status)).toEqual([200, 200, 200]);
  if (late.status === 429) {
    const again = await sms.send(hundred, { headers: { 'idempotency-key': key } });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null]);
  }
});

test('429 a team has a limit of its own in one operation, and the headers say so', async () => {
  const { service, send } = await sharedSms();
  const team = await addTeam(service, { sms: 100 });
  const operationRates = { sendSms: 20, listBalances: 1 };
  await edit(service.operate, `/teams/${team.teamId}`, { operationRates });
  const token = await tokenFor(service.demo.baseUrl, team);
  const to = (recipients: number) =>
    send(toMany(phones(recipients)), { token, serviceId: team.smsServiceId });
  const allowed = await to(20);
  expect([allowed.status, allowed.headers.get('ratelimit-policy')]).toEqual([200, '"team";q=20;w=1']);
  const refused = await to(21);
  expect([refused.status, refused.body, refused.headers.get('retry-after')]).toEqual([
    429,
    { error: 'rate_limit_exceeded', error_description: 'The limit of 20 messages per second is exceeded.' },
    '1',
  ]);
  expect(refused.headers.get('ratelimit-policy')).toBe('"team";q=20;w=1');
  const read = await fetch(`${service.demo.baseUrl}/balances`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect([read.status, read.headers.get('ratelimit')]).toEqual([200, '"team";r=0;t=1']);
});

test('a request rejected by a later check does not count towards the limit', async () => {
  await delay(1_000);
  const refusedLater = {
    type: 'TemplateSendToMany',
    templateId: 'no-such',
    addresses: phones(10),
    params: [],
  };
  for (let batch = 0; batch < 10; batch += 1) {
    const answers = await Promise.all(Array.from({ length: 5 }, () => sms.send(refusedLater)));
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
  }
  const answers = await Promise.all(Array.from({ length: 4 }, () => sms.send(hundred)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

test('200 a balance equal to the cost is enough; with one unit more the whole request is rejected', async () => {
  // 16 requests of 100 recipients and 6 units each leave 400.
  const { service, send } = await sharedSms();
  const team = await addTeam(service, { sms: 10_000 });
  const options = { token: await tokenFor(service.demo.baseUrl, team), serviceId: team.smsServiceId };
  for (let sent = 0; sent < 16; sent += 1)
    expect((await send(toMany(phones(100), 'a'.repeat(960)), options)).status).toBe(200);
  const tooMuch = await send(toMany(phones(100), 'a'.repeat(641)), options);
  expect([tooMuch.status, tooMuch.body]).toEqual([
    400,
    { desc: 'Insufficient units for 500 unit(s) requested.' },
  ]);
  expect((await send(toMany(phones(100), 'a'.repeat(640)), options)).status).toBe(200);
  const empty = await send(toMany(['0711000000']), options);
  expect(empty.body).toEqual({ desc: 'Insufficient units for 1 unit(s) requested.' });
});
