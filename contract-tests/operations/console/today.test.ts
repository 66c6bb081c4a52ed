/** The first page: what needs somebody, what waits, and what happened in the last hour, as the reader may see it. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type ConsoleService, startAcme } from '../../support/console/service.ts';
import type { Visitor } from '../../support/console/visitor.ts';
import type { CallManagement } from '../../support/management/caller.ts';
import { names } from '../../support/management/named.ts';
import { addMessage } from '../../support/management/sent-message.ts';

let service: ConsoleService;
let owner: Visitor;
let api: CallManagement;
beforeAll(async () => {
  ({ service, owner, api } = await startAcme());
  await api('POST /teams', { id: 'rival' });
  await api('POST /senders', { id: 'offers', category: 'MARKETING', sender: 'OFFERS' });
});
afterAll(() => service.close());

test('before any message Today lists no problem; without the demo it offers no burst', async () => {
  const { status, text } = await owner.open('/');
  expect(status).toBe(200);
  expect(text).toContain('No message in the last hour.');
  expect(text).not.toContain('Send a burst');
  expect((await owner.post('/burst', {})).status).toBe(404);
});

test('says what needs whom, and leads there', async () => {
  const { management } = service;
  const { knex } = management;
  await addMessage(management, names('acme'));
  await api('POST /channels', { name: 'Safaricom', prefixes: ['25471'], connector: 'simulator' });
  await api('POST /connectors/simulator/pause', { reason: 'Maintenance <b>today</b>' });
  await knex('accounts').insert({ team_id: 'acme', product: 'sms', balance: 38, granted: 202 });
  await api('POST /sms-templates', {
    id: 'weekend',
    teamId: 'acme',
    content: 'Hi',
    category: 'MARKETING',
    managedServiceKey: 'offers',
  });
  await knex('minute_counts').insert(
    ['', 'acme'].map((team_id) => ({
      team_id,
      product: 'sms',
      channel: 'Safaricom',
      accepted: 51,
      delivered: 40,
      failed: 3,
      minute: knex.raw(`date_trunc('minute', service_now())`),
    })),
  );
  await api('POST /senders', { id: 'asked', teamId: 'acme', sender: 'ASKED', uses: [{ status: 'Pending' }] });
  await knex('teams').where({ id: 'acme' }).update({ caps: '{"month": 100}' });
  await api('POST /clients', { id: 'shop', teamId: 'acme', scopes: [] });
  await knex('clients').where({ id: 'shop' }).update({ caps: '{"day": 10, "month": 10}' });
  const uses = [
    ['team', 'acme', 'month', 80],
    ['client', 'shop', 'day', 10],
    // Too little, and of a day that has ended.
    ['client', 'shop', 'month', 7],
    ['team', 'acme', 'day', 100, '2026-01-01'],
  ] as const;
  for (const [holder, id, period, used, began] of uses)
    await knex('cap_uses').insert({
      ...{ holder, id, period, used, most: 10 },
      began: began ?? knex.raw(`date_trunc(?, service_now() at time zone 'UTC')::date`, [period]),
    });
  const hoursAgo = (hours: number) =>
    knex.raw(`date_trunc('hour', service_now(), 'UTC') - ? * interval '1 hour'`, [hours]);
  await knex('code_counts').insert([
    { team_id: 'acme', place: '+25471123', hour: hoursAgo(3), sent: 20, over: 1_480, over_confirmed: 2 },
    { team_id: 'acme', place: 'KE', hour: hoursAgo(0), sent: 1_000, confirmed: 900 },
    { team_id: 'acme', place: 'TZ', hour: hoursAgo(30), sent: 20, over: 7 },
  ]);
  const { text } = await (await service.visitor('juma', { role: 'owner' })).open('/');
  for (const words of [
    '8 things need you',
    'Client shop of team acme has reached its cap of the day',
    'Team acme is near its cap of the month',
    '80 of 100 units; the next month begins',
    'Codes of team acme to +25471123 stay unconfirmed',
    '1,480 in 24 hours were beyond the limit. The guard is off.',
    'Sender asked waits for a review',
    'Connector simulator is paused',
    '“<bdi>Maintenance &lt;b&gt;today&lt;/b&gt;</bdi>”',
    '/console/connectors/simulator"',
    'Endpoint <bdi>https://acme.example</bdi> is parked',
    'Team acme has 38 units left for SMS',
    'It used 164 in the last 24 hours, so they last about 6 hours.',
    '/console/templates/sms/weekend/review"',
    'Safaricom, last 60 minutes: 51 accepted, 40 delivered, 3 failed.',
    '<dt>Receipts given up</dt><dd>1<small>',
  ])
    expect(text).toContain(words);

  const ofAcme = await (await service.visitor('zuri', { role: 'viewer', teamId: 'acme' })).open('/');
  expect(ofAcme.text).toContain('5 things need you');
  expect(ofAcme.text).not.toMatch(/Connector|quarantine|Oldest queued/);
  const ofRival = await (await service.visitor('otto', { role: 'admin', teamId: 'rival' })).open('/');
  expect(ofRival.text).toContain('Nothing needs you');
  expect(ofRival.text).not.toContain('acme');
});

test('codes: where they went beyond the guard, how, and why', async () => {
  const reader = await service.visitor('kesi', { role: 'viewer', teamId: 'acme' });
  const { text } = await reader.open('/guarded-places');
  for (const words of [
    'Unconfirmed in 24 hours: 20 of 20 that may be; in this hour: 0 of 20.',
    'Beyond that: 1,480. The guard is off. Of these 2 were sent, and people confirmed them',
    'Codes, 24 hours: 20 sent · 0 confirmed · 1,480 beyond.',
    'Codes, 14 days of UTC: 20 sent · 0 confirmed · 7 beyond.',
  ])
    expect(text).toContain(words);
  expect(text).not.toContain('1,000');
  const ofKenya = await reader.open('/guarded-places?place=KE');
  expect(ofKenya.text).toContain(
    'Unconfirmed in 24 hours: 100 of 200 that may be; in this hour: 100 of 200.',
  );
  const ofRival = await service.visitor('lela', { role: 'viewer', teamId: 'rival' });
  expect((await ofRival.open('/guarded-places?place=KE')).text).toContain('No code went beyond the limit.');
});

describe('where endpoints of many teams fail', () => {
  const fail = (team: string, count: number, failures: number) =>
    service.management.knex.raw(
      `insert into receipt_origins (team_id, origin_key, origin, failures_in_a_row, parked_until)
       select :team, md5(:team || n)::uuid, 'https://' || :team || n || '.example', :failures,
         case when :failures >= 20 then service_now() + interval '50 seconds' end
       from generate_series(1, :count::integer) n`,
      { team, count, failures },
    );
  let readers = 0;
  const today = async () => {
    readers += 1;
    return (await (await service.visitor(`reader-${readers}`, { role: 'admin', teamId: 'rival' })).open('/'))
      .text;
  };
  afterEach(() => service.management.knex('receipt_origins').where({ team_id: 'rival' }).delete());

  test('those that fail for a moment hide no parked one', async () => {
    const { knex } = service.management;
    await fail('rival', 60, 1);
    expect(await today()).toContain('Nothing needs you');
    await knex('receipt_origins').insert({
      team_id: 'rival',
      origin_key: 'ffffffff-ffff-4fff-8fff-ffffffffffff',
      origin: 'https://last.example',
      failures_in_a_row: 31,
      parked_until: knex.raw(`service_now() + interval '50 seconds'`),
    });
    const text = await today();
    expect(text).toContain('1 thing needs you');
    expect(text).toContain('Endpoint <bdi>https://last.example</bdi> is parked');
    expect(text).toContain('1 parked endpoint<');
  });

  test('five are named, and their number is', async () => {
    await fail('rival', 7, 31);
    const text = await today();
    expect(text.match(/ is parked</g)).toHaveLength(5);
    expect(text).toContain('>7 endpoints need somebody<');
    expect(text).toContain('6 or more things need you');
    expect(text).toContain('7 parked endpoints<');
  });

  test('more than are looked at always need somebody', async () => {
    await fail('rival', 101, 1);
    const text = await today();
    expect(text).toContain('100 or more endpoints need somebody');
    expect(text).toContain('1 or more things need you');
  });
});

describe('a page that refreshes itself', () => {
  test('is made once for all who have it open', async () => {
    const people = await Promise.all(
      ['one', 'two', 'three'].map((id) => service.visitor(id, { role: 'owner' })),
    );
    const { client } = service.management.knex;
    let statements: string[] = [];
    client.on('query', ({ sql }: { sql: string }) => statements.push(sql));
    await people[0]?.refresh('/');
    statements = [];
    const pages = await Promise.all(people.map(({ refresh }) => refresh('/')));
    expect(statements.filter((sql) => !sql.includes('console_sessions'))).toEqual([]);
    for (const { text } of pages) expect(text).toContain('Connector simulator is paused');
  });

  test('is another one for another team', async () => {
    const theirs = await service.visitor('theirs', { role: 'owner', teamId: 'rival' });
    expect((await owner.refresh('/')).text).toContain('Connector simulator is paused');
    expect((await theirs.refresh('/')).text).toContain('Nothing needs you');
  });

  test('of a single reader is never shared: their sign-ins', async () => {
    const [one, other] = await Promise.all(
      ['private', 'public'].map((id) => service.visitor(id, { role: 'owner' })),
    );
    expect((await one?.refresh('/me'))?.text).toContain('>private <');
    expect((await other?.refresh('/me'))?.text).not.toContain('private');
  });
});
