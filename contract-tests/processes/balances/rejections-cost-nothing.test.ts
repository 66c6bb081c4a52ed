/** A rejected request costs nothing and leaves its Idempotency-Key free for the corrected request. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addTeam, type Team } from '../../support/management/team.ts';
import { phones, type SmsService, startSms, templateToMany, toMany } from '../../support/requests/sms.ts';
import { type CallOptions, tokenFor } from '../../support/service/api.ts';
import { rowsOf, withStoredData } from '../../support/service/stored-data.ts';

let sms: SmsService;
let otherTeam: Team;
const accepted: string[] = [];

beforeAll(async () => {
  sms = await startSms();
  otherTeam = await addTeam(sms.service);
});
afterAll(() => sms?.service.dispose());

const good = toMany(phones(1));

/** Rejected requests; each has a key, which a valid request uses afterwards. */
const refusals: [string, number, () => { body?: unknown; options?: CallOptions & { serviceId?: string } }][] =
  [
    ['a body that is no JSON', 400, () => ({ body: '{' })],
    ['a body of the wrong shape', 400, () => ({ body: { type: 'SendToMany' } })],
    ['nobody to send to', 400, () => ({ body: toMany([]) })],
    ['too many recipients', 400, () => ({ body: toMany(phones(101)) })],
    ['a text that is too long', 400, () => ({ body: toMany(phones(1), 'a'.repeat(961)) })],
    ['an invalid phone number', 400, () => ({ body: toMany(['12']) })],
    [
      'a callback that is no URL',
      400,
      () => ({ body: toMany(phones(1), 'x', { receiptRequest: { callbackUrl: 'x' } }) }),
    ],
    ['an unknown template', 400, () => ({ body: templateToMany('no-such', phones(1), []) })],
    [
      'a template that is not sendable',
      400,
      () => ({ body: templateToMany(sms.demo.templates.pending, phones(1), []) }),
    ],
    [
      'parameters that are missing',
      400,
      () => ({ body: templateToMany(sms.demo.templates.named, phones(1), []) }),
    ],
    ['no token', 401, () => ({ options: { token: undefined } })],
    ['a wrong token', 401, () => ({ options: { token: 'nonsense' } })],
    ["another team's service", 404, () => ({ options: { serviceId: otherTeam.smsServiceId } })],
    ['an unknown service', 404, () => ({ options: { serviceId: 'no-such' } })],
  ];

test.each(refusals)('%s (%i), then the same key with a good request', async (_what, status, refusal) => {
  const { body = good, options = {} } = refusal();
  const headers = { 'idempotency-key': randomUUID() };
  expect((await sms.send(body, { ...options, headers })).status).toBe(status);
  await expectAccepted(headers);
});

test('a token without the scope (403), then the same key with a good one', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const token = await tokenFor(sms.demo.baseUrl, sms.demo, 'message.chatapp.send');
  expect((await sms.send(good, { token, headers })).status).toBe(403);
  await expectAccepted(headers);
});

test('more than fits into a second (429), then the same key with less', async () => {
  const hundred = toMany(phones(100));
  const key = () => ({ 'idempotency-key': randomUUID() });
  for (;;) {
    const tries = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const headers = key();
        const answer = await sms.send(hundred, { headers });
        if (answer.status === 200) accepted.push(answer.body.result.requestId);
        return { headers, status: answer.status };
      }),
    );
    const refused = tries.find(({ status }) => status === 429);
    // A machine may be so slow that all of them fit.
    if (refused === undefined) continue;
    for (;;) {
      const answer = await sms.send(good, { headers: refused.headers });
      if (answer.status === 429) continue;
      expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([200, null]);
      accepted.push(answer.body.result.requestId);
      return;
    }
  }
});

test('rejected requests left no trace: no request, no debit, no key', async () => {
  await sms.service.stop();
  await withStoredData(sms.service, async (knex) => {
    const ids = [...accepted].sort();
    const stored = await rowsOf<{ id: string }>(knex, 'select id from requests order by id');
    expect(stored.map(({ id }) => id)).toEqual(ids);
    const debits = await rowsOf<{ id: string }>(
      knex,
      `select distinct request_id as id from ledger_entries where reason = 'Debit' order by 1`,
    );
    expect(debits.map(({ id }) => id)).toEqual(ids);
    const keys = await rowsOf<{ id: string }>(
      knex,
      `select accepted ->> 'requestId' as id from idempotency_keys order by 1`,
    );
    expect(keys.map(({ id }) => id)).toEqual(ids);
  });
});

async function expectAccepted(headers: Record<string, string>): Promise<void> {
  const answer = await sms.send(good, { headers });
  expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([200, null]);
  accepted.push(answer.body.result.requestId);
}
