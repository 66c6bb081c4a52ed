/** Idempotency-Key: one key, one effect. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addTeam } from '../../support/management/team.ts';
import { type SmsService, startSms, templateToMany, toMany } from '../../support/requests/sms.ts';
import { tokenFor } from '../../support/service/api.ts';

let sms: SmsService;

beforeAll(async () => {
  sms = await startSms();
});
afterAll(() => sms.service.dispose());

const body = toMany(['0711000000']);
const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });

describe('Idempotency-Key', () => {
  test('200 the same key and body get the first response, byte for byte', async () => {
    const key = randomUUID();
    const first = await sms.send(body, withKey(key));
    const again = await sms.send(body, withKey(key));
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.text).toBe(first.text);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  test('200 the order of properties makes no difference', async () => {
    const key = randomUUID();
    const first = await sms.send(body, withKey(key));
    const again = await sms.send(Object.fromEntries(Object.entries(body).reverse()), withKey(key));
    expect(again.text).toBe(first.text);
  });

  test('200 replays survive a restart', async () => {
    const key = randomUUID();
    const first = await sms.send(body, withKey(key));
    await sms.service.stop();
    await sms.service.restart();
    expect((await sms.send(body, withKey(key))).text).toBe(first.text);
  });

  test('409 This Idempotency-Key was used with another request.', async () => {
    const key = randomUUID();
    await sms.send(body, withKey(key));
    const other = await sms.send(toMany(['0711000001']), withKey(key));
    expect([other.status, other.body]).toEqual([
      409,
      { desc: 'This Idempotency-Key was used with another request.' },
    ]);
  });

  test('409 A request with this Idempotency-Key is still running. — 50 at once have one effect', async () => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 50 }, () => sms.send(body, withKey(key))));
    const ids = new Set(
      answers.filter(({ status }) => status === 200).map((one) => one.body.result.requestId),
    );
    expect(ids.size).toBe(1);
    const running = answers.filter(({ status }) => status !== 200);
    expect(running.length).toBeGreaterThan(0);
    for (const { status, body: refused } of running)
      expect([status, refused]).toEqual([
        409,
        { desc: 'A request with this Idempotency-Key is still running.' },
      ]);
  });

  test('400 Idempotency-Key must have 1 to 255 printable ASCII characters.', async () => {
    for (const key of ['x'.repeat(256), 'schl\u00fcssel']) {
      const answer = await sms.send(body, withKey(key));
      expect([answer.status, answer.body]).toEqual([
        400,
        { desc: 'Idempotency-Key must have 1 to 255 printable ASCII characters.' },
      ]);
    }
  });

  test('a key belongs to its client', async () => {
    const key = randomUUID();
    const first = await sms.send(body, withKey(key));
    const team = await addTeam(sms.service, { sms: 1 });
    const token = await tokenFor(sms.demo.baseUrl, team);
    const other = await sms.send(body, { token, serviceId: team.smsServiceId, ...withKey(key) });
    expect([other.status, other.headers.get('idempotent-replayed')]).toEqual([200, null]);
    expect(other.body.result.requestId).not.toBe(first.body.result.requestId);
  });

  test.each<[string, number, unknown, object]>([
    ['shape', 400, { type: 'SendToMany' }, {}],
    ['phones', 400, toMany(['bad']), {}],
    ['template', 400, templateToMany('no-such', ['0711000000'], []), {}],
    ['token', 401, body, { token: 'x' }],
    ['service', 404, body, { serviceId: 'no-such' }],
  ])('a rejected request stores no key: %s (%i)', async (_rule, status, refused, options) => {
    const key = randomUUID();
    expect((await sms.send(refused, { ...options, ...withKey(key) })).status).toBe(status);
    const corrected = await sms.send(body, withKey(key));
    expect([corrected.status, corrected.headers.get('idempotent-replayed')]).toEqual([200, null]);
  });

  test('a request rejected for insufficient units stores no key', async () => {
    const team = await addTeam(sms.service);
    const token = await tokenFor(sms.demo.baseUrl, team);
    const options = { token, serviceId: team.smsServiceId, ...withKey(randomUUID()) };
    expect((await sms.send(body, options)).status).toBe(400);
    // Another body: with a stored key this would be 409.
    const other = await sms.send(toMany(['0711000001', '0711000002']), options);
    expect([other.status, other.body]).toEqual([
      400,
      { desc: 'Insufficient units for 2 unit(s) requested.' },
    ]);
  });
});
