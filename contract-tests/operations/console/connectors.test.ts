/** A connector is down: since when, what waits, pause with a reason, test, resume. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createQueue } from '../../../src/queue/queue.ts';
import { type ConsoleService, startAcme } from '../../support/console/service.ts';
import type { Visitor } from '../../support/console/visitor.ts';

let service: ConsoleService;
let owner: Visitor;
beforeAll(async () => {
  const { api, ...started } = await startAcme();
  ({ service, owner } = started);
  await api('POST /channels', { name: 'Safaricom', prefixes: ['25471'], connector: 'simulator' });
  const { knex } = service.management;
  const job = { product: 'sms' as const, channel: 'Safaricom', teamId: 'acme', priority: 2 as const };
  await knex.transaction((trx) =>
    createQueue(knex).insert(trx, 'deliver', [{ ...job, requestIds: [], messages: 712 }]),
  );
});
afterAll(() => service.close());

test('it says what is wrong and what waits; it is paused with a reason, tested and resumed', async () => {
  const { knex } = service.management;
  await knex('connectors').update({ updated_at: knex.raw('service_now()') });
  expect((await owner.open('/connectors/simulator')).text).toContain('A worker opens it');
  await knex('connectors').update({ updated_at: '2026-01-01T00:00:00Z' });
  const away = await owner.open('/connectors/simulator');
  expect(away.text).toContain('No worker runs it');
  expect(away.text).toContain('712 messages wait for it, the oldest for');
  expect(away.text).toContain('SMS for Safaricom');

  const reason = 'Maintenance <b>tonight</b>';
  const paused = await owner.send('/connectors/simulator/pause', { reason });
  const shown = await owner.open(paused.location ?? '');
  expect(shown.text).toContain('It is paused: new messages wait, reports still arrive');
  expect(shown.text).toMatch(
    /Since <time [^>]+>[^<]+<\/time>\. “<bdi>Maintenance &lt;b&gt;tonight&lt;\/b&gt;<\/bdi>”/,
  );

  const tested = await owner.send('/connectors/simulator/test');
  expect(tested.text).toMatch(/The network would take (no )?messages/);

  await owner.send('/connectors/simulator/resume');
  expect((await owner.open('/connectors/simulator')).text).not.toContain('It is paused');
});

test('a channel leads to where a message would go, and an invalid number is named at its field', async () => {
  expect((await owner.open('/channels/Safaricom')).text).toContain('href="/console/explain"');
  const { text } = await owner.send('/explain', { phone: '+254711000000' });
  expect(text).toContain('<dd><a href="/console/channels/Safaricom">Safaricom</a></dd>');
  expect(text).toContain('none matches: the connector of the channel counts');
  const refused = await owner.send('/explain', { phone: '0711' });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('href="#field-phone"');
});

test('the page of a channel says which connectors its messages go through, and which take none', async () => {
  const { knex } = service.management;
  expect((await owner.open('/channels/Safaricom')).text).not.toContain('Routes</h2>');
  const added = await owner.send('/new/routes', {
    name: 'codes',
    channel: 'Safaricom',
    'match.category': 'AUTHENTICATION',
    'via.0.connector': 'simulator',
    'via.0.weight': '3',
  });
  expect(added).toMatchObject({ location: expect.stringContaining('/routes/codes') });
  const { text } = await owner.open('/channels/Safaricom');
  expect(text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')).toContain(
    'codes SMS of category AUTHENTICATION simulator (3) away All others SMS simulator away',
  );
  await knex('routes').delete();
});
