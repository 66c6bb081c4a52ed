/** The first page: what needs somebody, what waits, and what happened in the last hour, as the reader may see it. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ConsoleService, startConsole } from '../../support/console/service.ts';
import { names } from '../../support/management/named.ts';
import { addMessage } from '../../support/management/sent-message.ts';

let service: ConsoleService;
beforeAll(async () => {
  service = await startConsole();
  const api = await service.user('program', { role: 'owner' });
  await api('POST /teams', { id: 'acme' });
  await api('POST /teams', { id: 'rival' });
  await api('POST /managed-senders', { key: 'offers', category: 'MARKETING', sender: 'OFFERS' });
});
afterAll(() => service.close());

test('nothing needs anybody before anything has happened', async () => {
  const owner = await service.visitor('amina', { role: 'owner' });
  const { status, text } = await owner.open('/');
  expect(status).toBe(200);
  expect(text).toContain('No message in the last hour.');
});

test('says what needs whom, and leads there', async () => {
  const { management } = service;
  const { knex } = management;
  const api = await service.user('other', { role: 'owner' });
  await addMessage(management, names('acme'));
  await api('POST /channels', { name: 'Safaricom', prefixes: ['25471'], connector: 'simulator' });
  await api('POST /connectors/simulator/pause', { reason: 'Maintenance <b>today</b>' });
  await knex('accounts').insert({ team_id: 'acme', product: 'sms', balance: 38, granted: 202 });
  await api('POST /sms-templates', {
    ...{ id: 'weekend', teamId: 'acme', content: 'Hi', category: 'MARKETING', managedServiceKey: 'offers' },
  });
  await knex('minute_counts').insert(
    ['', 'acme'].map((team_id) => ({
      ...{ team_id, product: 'sms', channel: 'Safaricom', accepted: 51, delivered: 40, failed: 3 },
      minute: knex.raw(`date_trunc('minute', service_now())`),
    })),
  );
  const owner = await service.visitor('juma', { role: 'owner' });
  const { text } = await owner.open('/');
  for (const words of [
    '4 things need you',
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
  expect(ofAcme.text).toContain('2 things need you');
  expect(ofAcme.text).not.toMatch(/Connector|quarantine|Oldest queued/);
  const ofRival = await (await service.visitor('otto', { role: 'admin', teamId: 'rival' })).open('/');
  expect(ofRival.text).toContain('Nothing needs you');
  expect(ofRival.text).not.toContain('acme');
});

describe('a page that refreshes itself', () => {
  test('is made once for all who have it open, and has the form token of each', async () => {
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
    const tokens = pages.map(({ text }) => /name="formToken" value="([^"]+)"/.exec(text)?.[1]);
    expect(new Set(tokens).size).toBe(3);
    for (const { text } of pages) expect(text).toContain('Connector simulator is paused');
  });

  test('is another one for another team', async () => {
    const owner = await service.visitor('ours', { role: 'owner' });
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
