/** The log contains nothing that a client entrusts to the service, and an erased number is nowhere. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Knex } from 'knex';
import { createKeyRepository } from '../../../src/accept/repository.ts';
import { withoutRest } from '../../../src/platform/isolation/parts.ts';
import { createSecrets } from '../../../src/platform/secrets/secrets.ts';
import { readConfig } from '../../../src/process/config.ts';
import { createConsequences } from '../../../src/process/consequences.ts';
import { createQueue } from '../../../src/queue/queue.ts';
import { retain } from '../../../src/retention/chore.ts';
import { type SmsService, startSms, templateToMany, toMany } from '../../support/requests/sms.ts';
import { call } from '../../support/service/api.ts';
import { runHere } from '../../support/service/command-line.ts';
import { metric } from '../../support/service/metrics.ts';
import { processEnvironment } from '../../support/service/process.ts';
import { rowsOf, withStoredData } from '../../support/service/stored-data.ts';
import { tracesOf } from '../../support/service/traces.ts';

let sms: SmsService;

beforeAll(async () => {
  sms = await startSms({ LOG_LEVEL: 'trace' });
});
afterAll(() => sms.service.dispose());

const text = 'canary-text-5b1f';
const correlator = 'canary-correlator-77';
const key = 'canary-key-1c2d-0711987654';
const callbackUrl = 'http://127.0.0.1:9/canary-path-99';
const phone = '+254711987654';
/** Of a message that becomes old. */
const oldPhone = '+254711876543';

test('numbers, texts, URLs, keys and secrets are never logged, whatever goes wrong', async () => {
  const { baseUrl, clientSecret, signingSecret } = sms.demo;
  const afterGreeting = sms.service.output().length;
  const receiptRequest = { correlator, callbackUrl };
  const send = (body: unknown, options = {}) =>
    sms.send(body, { headers: { 'idempotency-key': key }, ...options });
  await send(toMany([phone], text, { receiptRequest }));
  await send(toMany([oldPhone], text, { receiptRequest }), { headers: {} });
  await send(toMany([phone, 'canary-phone'], text));
  await send(toMany([phone], text), { serviceId: 'no-such' });
  await send(toMany([phone], text), { token: 'canary-token' });
  await send(`{"message": "${text}"`);
  await send(templateToMany(sms.demo.templates.named, [phone], [{ name: 'note', value: text }]));
  for (const name of ['name', text])
    await call(baseUrl, `/message/${sms.demo.chatAppServiceId}/chatapp`, {
      token: sms.token,
      body: {
        type: 'TemplateSendToMany',
        phoneNumberId: sms.demo.phoneNumberIds[0],
        templateId: 'chat-greeting',
        addresses: [phone],
        params: [{ type: 'BodyNamedParameter', name, value: text }],
        receiptRequest,
      },
    });
  const bundle = { phone, denomination: '1GB', message: text };
  const messaging = { serviceSelection: { type: 'DefaultService' } };
  for (const campaignId of [sms.demo.campaigns.open, 'no-such'])
    await call(baseUrl, `/data/${campaignId}`, {
      token: sms.token,
      body: { type: 'SendToEach', disbursements: [bundle], messaging, receiptRequest },
    });
  await call(baseUrl, '/oauth/token', {
    body: `grant_type=client_credentials&client_id=demo&client_secret=canary-secret`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  // The first attempt to post a receipt fails: nothing listens there.
  const attempted = 'tarishi_receipt_attempts_total\\{outcome="again"\\}';
  while (!((await metric(sms.service.metricsUrl, attempted)) > 0)) await delay(20);
  await sms.service.stop();

  const log = sms.service.output().slice(afterGreeting);
  expect(log).toContain('"operation":"sendSms"');
  expect(log).toContain('"operation":"sendChatAppTemplate"');
  expect(log).toContain('"operation":"disburseMobileData"');
  for (const canary of ['canary', phone.slice(1), phone.slice(4), clientSecret, signingSecret, sms.token])
    expect(log).not.toContain(canary);
});

/** What clients, receivers and networks write where nobody expects a number. */
async function scatter(knex: Knex, phone: string): Promise<void> {
  const national = `0${phone.slice(4, 7)} ${phone.slice(7, 10)} ${phone.slice(10)}`;
  const ours = `(select request_id from messages where phone = '${phone}')`;
  await knex.raw(`update requests set correlator = '${national}' where id in ${ours}`);
  await knex.raw(
    `update requests set callback_url = 'http://127.0.0.1:9/x\\?to=%2B${phone.slice(1)}' where id in ${ours}`,
  );
  await knex.raw(
    `update messages set reason = 'no route to ${phone.slice(1)}', reason_code = 'x${phone.slice(1)}'
     where phone = '${phone}'`,
  );
  await knex.raw(
    `update messages set network_id = 'wamid.' || encode('\\x16${Buffer.from(phone.slice(1)).toString('hex')}11', 'base64') || id
     where phone = '${phone}' and product = 'chatapp'`,
  );
  await knex.raw(
    `update receipts set attempt_log = '[{"response": "bad number \\u002b${phone.slice(1)}"}]',
       url = 'http://127.0.0.1:9/${phone.slice(1)}' where request_id in ${ours}`,
  );
  await knex('network_reports').insert({
    product: 'sms',
    connector: 'simulator',
    network_id: randomUUID(),
    state: 'Failed',
    reason: `unknown ${phone}`,
  });
  await knex('quarantine').insert({
    round: 'network-report',
    item: randomUUID(),
    payload: JSON.stringify({ source: phone.slice(1) }),
    reason: 'made by a test',
  });
  // A recipient of the same request, whose text mentions the number, and a message that an operator must decide on.
  await knex.raw(
    `insert into messages (request_id, team_id, position, product, channel, phone, content, units, state, final_at)
     select request_id, team_id, 98, product, channel, '+254711000001', 'Call ${national}', 0, 'Delivered',
       service_now() from messages where phone = '${phone}' and product = 'sms' limit 1`,
  );
  await knex.raw(
    `with stuck as (
       insert into messages (request_id, team_id, position, product, channel, phone, content, units, state)
       select request_id, team_id, 99, product, channel, phone, content, 0, 'Submitted'
       from messages where phone = '${phone}' and product = 'sms' limit 1 returning id
     ) insert into quarantine (round, item, message_id, payload, reason)
       select 'silence', id::text, id, '{}', 'made by a test' from stuck`,
  );
}

test('an erased number is in no table and no log', async () => {
  const { service } = sms;
  const found = await withStoredData(service, async (knex) => {
    await scatter(knex, phone);
    return tracesOf(knex, phone);
  });
  expect(found).toEqual([
    'idempotency_keys.key',
    'messages.content',
    'messages.network_id',
    'messages.phone',
    'messages.reason',
    'messages.reason_code',
    'network_reports.reason',
    'quarantine.payload',
    'receipts.attempt_log',
    'receipts.body',
    'receipts.url',
    'requests.callback_url',
    'requests.correlator',
  ]);

  const erase = async () => {
    const { dataDirectory: DATA_DIR, databaseUrl: DATABASE_URL } = service;
    const words = ['subject', 'erase', phone, '--json'];
    const outcome = await runHere(words, { ...processEnvironment, DATA_DIR, DATABASE_URL });
    expect(outcome).toMatchObject({ code: 0, err: '' });
    expect(outcome.out).not.toContain(phone.slice(4));
    return JSON.parse(outcome.out);
  };
  const first = await erase();
  expect(first).toMatchObject({ networkReports: 1, idempotencyKeys: expect.any(Number) });
  expect(first.messages).toBeGreaterThan(0);
  expect(first.inFlight).toBeGreaterThan(0);

  await withStoredData(service, async (knex) => {
    // What the service was stopped in the middle of comes to its end, and the time for its last receipt passes.
    await knex.raw(`update messages set state = 'Failed', final_at = service_now()
      where phone = '${phone}' and final_at is null and id not in (select message_id from quarantine)`);
    for (let more = true; more; ) {
      await knex.raw(`update erasures_due set next_look_at = service_now() - interval '1 second'`);
      await retain(await retentionOf(knex));
      await knex.raw(
        `update messages set final_at = service_now() - interval '2 hours' where phone = '${phone}'`,
      );
      more = (await knex('erasures_due').first()) !== undefined;
    }
    expect(await tracesOf(knex, phone)).toEqual([]);
    const audited = await rowsOf(knex, `select after from audit_log where action = 'erase'`);
    expect(audited).toEqual([{ after: first }]);
  });
  expect(service.output()).not.toContain(phone.slice(4));
  expect(await erase()).toMatchObject({ messages: 0, receipts: 0, requests: 0, inFlight: 0 });
});

test('a number that is older than all periods is in no table', async () => {
  await withStoredData(sms.service, async (knex) => {
    await scatter(knex, oldPhone);
    expect(await tracesOf(knex, oldPhone)).toEqual(
      expect.arrayContaining([
        'messages.phone',
        'quarantine.payload',
        'receipts.url',
        'requests.callback_url',
      ]),
    );
    for (const table of ['requests', 'receipts', 'idempotency_keys', 'quarantine'])
      await knex.raw(`update ${table} set created_at = created_at - interval '100 days'`);
    // Messages and receipts whose time has come are done by now.
    await knex.raw(`update receipts set state = 'Exhausted', claimed_by = null where state = 'Waiting'`);
    await knex.raw(`update messages set state = 'Failed', final_at = service_now()
      where final_at is null and id not in (select message_id from quarantine where message_id is not null)`);
    for (let round = 0; round < 20; round += 1) {
      await knex.raw(`update erasures_due set next_look_at = service_now() - interval '1 second'`);
      // A message that waited in quarantine is announced once more: that receipt becomes old too.
      await knex.raw(`update receipts set state = 'Exhausted', created_at = service_now() - interval '31 days'
        where state = 'Waiting'`);
      await retain(await retentionOf(knex));
    }
    // The round of reports deletes them after 72 hours.
    await knex('network_reports').delete();
    await createKeyRepository(knex).purge(86_400);
    expect(await tracesOf(knex, oldPhone)).toEqual([]);
  });
});

async function retentionOf(knex: Knex): Promise<Parameters<typeof retain>[0]> {
  const config = readConfig({});
  const secrets = createSecrets(randomBytes(32));
  const consequences = createConsequences({ config, queue: createQueue(knex), secrets });
  return {
    knex,
    periods: config.retentionDays,
    hashPhone: secrets.hashPhone,
    consequences,
    events: { itemQuarantined: () => {} },
    teamParts: { texts: withoutRest, receipts: withoutRest, numbers: withoutRest },
  };
}
