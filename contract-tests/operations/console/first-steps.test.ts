/** A new team is led from its addition to its first delivered message, in six steps that complete themselves. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ConsoleService, startConsole } from '../../support/console/service.ts';
import { names } from '../../support/management/named.ts';
import { addMessage } from '../../support/management/sent-message.ts';

let service: ConsoleService;
beforeAll(async () => {
  service = await startConsole();
});
afterAll(() => service.close());

/** The address of the step that comes next. */
const nextStep = (page: string) =>
  /<li aria-current="step">(?:(?!<\/li>).)*href="\/console([^"]+)"/s
    .exec(page)?.[1]
    ?.replaceAll('&amp;', '&') ?? '';
const done = (page: string) => /(\d) of 6 done/.exec(page)?.[1];

test('a team is complete after six steps, of which the list then says nothing', async () => {
  const owner = await service.visitor('amina', { role: 'owner' });
  const added = await owner.send('/new/teams', { id: 'acme' });
  const team = async () => (await owner.open(added.location ?? '')).text;
  expect(done(await team())).toBe('1');

  await owner.send(nextStep(await team()), { id: 'acme-sms', sender: 'ACME' });
  expect(done(await team())).toBe('2');
  await owner.send(nextStep(await team()), { units: '10000', reference: 'invoice-1' });
  expect(done(await team())).toBe('3');

  const client = await owner.send(nextStep(await team()), { id: 'acme-orders' });
  expect(client.text).toContain('/message/acme-sms&#39;');
  expect(client.text).toMatch(/client_id=acme-orders --data-urlencode &#39;client_secret=[\w-]{43}&#39;/);
  const { body } = await (await service.user('program', { role: 'owner' }))('GET /clients/acme-orders');
  expect(body).toMatchObject({ teamId: 'acme', scopes: ['message.sms.send.oneway', 'message.read'] });
  expect(done(await team())).toBe('4');

  await addMessage(service.management, names('acme'));
  const complete = await team();
  expect(complete).not.toContain('First steps');
  expect(complete).not.toContain('data-refreshes');
});

test('do not come back for a team whose delivered messages are further back than a page of the search looks', async () => {
  const owner = await service.visitor('rehema', { role: 'owner' });
  await (await service.user('adder', { role: 'owner' }))('POST /teams', { id: 'seasoned' });
  await addMessage(service.management, names('seasoned'));
  await service.management.knex.raw(
    `with newer as (
       insert into requests (id, team_id, client_id, operation, resource_id, sender, correlator, callback_url)
       select gen_random_uuid(), team_id, client_id, operation, resource_id, sender, correlator, callback_url
       from requests, generate_series(1, 30) where team_id = 'seasoned' returning id
     )
     insert into messages (request_id, team_id, position, product, channel, phone, content, units, state)
     select id, 'seasoned', n, 'sms', 'Safaricom', '+254711000000', '', 1, 'Queued' from newer, generate_series(0, 69) n`,
  );
  const { status, text } = await owner.open('/teams/seasoned');
  expect(status).toBe(200);
  expect(text).not.toContain('First steps');
});

test('is for those who may take them', async () => {
  const viewer = await service.visitor('juma', { role: 'viewer' });
  await (await service.user('maker', { role: 'owner' }))('POST /teams', { id: 'empty' });
  expect((await viewer.open('/teams/empty')).text).not.toContain('First steps');
});
