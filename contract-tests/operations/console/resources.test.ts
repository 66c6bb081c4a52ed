/** Every kind of resource has its pages: they list, show, add, change and act as the API does, by plain forms. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ConsoleService, startAcme } from '../../support/console/service.ts';
import type { Visitor } from '../../support/console/visitor.ts';
import { type CallManagement, edit } from '../../support/management/caller.ts';

let service: ConsoleService;
let owner: Visitor;
let api: CallManagement;
beforeAll(async () => {
  ({ service, owner, api } = await startAcme());
});
afterAll(() => service.close());

describe('a form', () => {
  test('adds what was filled in, and shows it', async () => {
    const sent = await owner.send('/new/services/sms', { id: 'orders', teamId: 'acme', sender: 'ACME' });
    expect([sent.status, sent.location]).toEqual([303, '/services/sms/orders?done=createSmsService']);
    const { text } = await owner.open(sent.location ?? '');
    expect(text).toContain('Added.');
    expect(text).toContain('<dt>Sender</dt><dd><bdi>ACME</bdi></dd>');
    expect(text).toContain('<b>amina</b>: create');
  });

  test('sends what was changed only, in the version that was read', async () => {
    await owner.send('/new/teams', { id: 'rates' });
    await owner.send('/teams/rates/edit', { operationRates: 'sendSms=5\nlistMessages=2', textDays: '3' });
    const sent = await owner.send('/teams/rates/edit', { operationRates: 'sendSms=7', textDays: '' });
    expect(sent.location).toBe('/teams/rates?done=updateTeam');
    expect((await api('GET /teams/rates')).body).toMatchObject({ operationRates: { sendSms: 7 } });
    expect((await api('GET /teams/rates')).body).not.toHaveProperty('textDays');
    expect((await owner.send('/teams/rates/edit')).location).toBe('/teams/rates');
    expect((await api('GET /audit?noun=team&id=rates')).body.items).toHaveLength(3);
  });

  test('says on top and at the field what the API found wrong, and keeps the input', async () => {
    const { status, text } = await owner.send('/new/services/sms', {
      id: 'wrong',
      teamId: 'acme',
      sender: 'much too long for it',
    });
    expect(status).toBe(400);
    expect(text).toContain('<a href="#field-sender">Sender: must be a name of up to 11 letters,');
    expect(text).toMatch(
      /id="field-sender"[^>]* aria-describedby="field-sender-hint field-sender-fault" aria-invalid="true"/,
    );
    expect(text).toContain('value="much too long for it"');
  });

  test('of an older version keeps the input, and shows both', async () => {
    await owner.send('/new/services/sms', { id: 'both', teamId: 'acme', sender: 'ACME' });
    const before = await owner.fields('/services/sms/both/edit');
    await owner.send('/services/sms/both/edit', { sender: 'ACME2', name: 'Both' });
    const conflict = await owner.post('/services/sms/both/edit', { ...before, sender: 'ACME LTD' });
    expect(conflict.status).toBe(412);
    expect(conflict.text).toMatch(/Somebody changed this at .*\(amina\)/);
    expect(conflict.text).toContain(
      '<td data-name="Now stored"><bdi>ACME2</bdi></td><td data-name="Your input"><bdi>ACME LTD</bdi></td>',
    );
    const mine = await owner.post(
      '/services/sms/both/edit',
      owner.fieldsIn(conflict.text, '/services/sms/both/edit'),
    );
    expect(mine.location).toBe('/services/sms/both?done=updateSmsService');
    // What only the other one changed stays.
    expect((await api('GET /sms-services/both')).body).toMatchObject({ sender: 'ACME LTD', name: 'Both' });
  });

  test('of an older version keeps every value of a list', async () => {
    const scopes = ['message.sms.send.oneway', 'message.read'];
    await owner.send('/new/clients', { id: 'lists', teamId: 'acme', scopes: scopes.join('\n') });
    const { scopes: _, ...before } = await owner.fields('/clients/lists/edit');
    await owner.send('/clients/lists/edit', { name: 'Theirs' });
    const conflict = await owner.post('/clients/lists/edit', [
      ...Object.entries({ ...before, name: 'Mine' }),
      // As the boxes of a browser.
      ...scopes.map((scope): [string, string] => ['scopes', scope]),
    ]);
    expect(conflict.status).toBe(412);
    await owner.post('/clients/lists/edit', owner.fieldsIn(conflict.text, '/clients/lists/edit'));
    expect((await api('GET /clients/lists')).body).toMatchObject({ name: 'Mine', scopes });
  });

  test('that is too large is refused on a page', async () => {
    const { status, text } = await owner.post('/new/teams', { id: 'x'.repeat(300_000) });
    expect(status).toBe(400);
    expect(text).toContain('<h1>Not accepted</h1>');
    expect(text).toContain('larger than 262144 bytes');
  });
});

test('a sender is reviewed by what it asks for beside what was approved, a line for each use', async () => {
  const before = { id: 'changed', teamId: 'acme', sender: 'CHANGED', uses: [{ country: 'KE', as: '22149' }] };
  await api('POST /senders', before);
  const review = async () => (await owner.open('/senders/changed/review')).text;
  const uses = [
    { country: 'KE', as: '22150', status: 'Pending' },
    { country: 'SG', registrations: { uen: '1' }, status: 'Pending' },
  ];
  await edit(api, '/senders/changed', { uses });
  const text = await review();
  expect(text).toContain('As: <del>22149</del>');
  expect(text).toContain('As: <ins>22150</ins>');
  expect(text).toMatch(/<ins>[^<]*Registrations: uen: 1/i);
  await api('POST /senders', { ...before, id: 'fresh', sender: 'FRESH', uses: [{ status: 'Pending' }] });
  expect((await owner.open('/senders/fresh/review')).text).toMatch(
    /It was never approved\..*Status: Pending/,
  );
});

describe('secrets', () => {
  test('are shown in the response to the form, which nobody stores, and nowhere else', async () => {
    const added = await owner.send('/new/clients', { id: 'shop', teamId: 'acme' });
    expect([added.status, added.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const [, signing = ''] = /(whsec_[A-Za-z0-9+/=]+)/.exec(added.text) ?? [];
    expect(signing).not.toBe('');
    const { text } = await owner.open('/clients/shop');
    expect(text).not.toContain(signing);
    expect(text).toContain('<dt>Signing secrets</dt><dd>1</dd>');
  });

  test('are no part of the call that a page shows', async () => {
    const form = await owner.open('/new/connectors?kind=smpp');
    const { text } = await owner.post('/new/connectors', {
      ...owner.fieldsIn(form.text, '/new/connectors'),
      name: 'secret',
      kind: 'smpp',
      'settings.host': '192.0.2.1',
      'settings.systemId': 'tarishi',
      'settings.port': '99999',
      'secrets.password': 'hunter2',
    });
    expect(text).toContain('Port: at most 65535.');
    expect(text).not.toContain('hunter2');
    expect(text).toContain('The same with the API');
  });
});

test('an action asks first, then acts and says so', async () => {
  await owner.send('/new/clients', { id: 'kiosk', teamId: 'acme' });
  const asked = await owner.open('/clients/kiosk/revoke');
  expect(asked.text).toContain('All tokens of the client end within 5 seconds');
  expect(asked.text).toContain('amina disables client kiosk.');
  expect((await api('GET /clients/kiosk')).body.enabled).toBe(true);
  const done = await owner.send('/clients/kiosk/revoke');
  expect(done.location).toBe('/clients/kiosk?done=revokeClient');
  const { text } = await owner.open(done.location ?? '');
  expect(text).toContain('The client is disabled.');
  // What it can be done with now.
  expect(text).toContain('/console/clients/kiosk/restore');
  expect(text).not.toContain('/console/clients/kiosk/revoke"');
});

test('a list has filters, and pages', async () => {
  await api('POST /teams', { id: 'many' });
  for (let place = 10; place < 61; place += 1)
    await api('POST /chatapp-services', { id: `many-${place}`, teamId: 'many' });
  const first = await owner.open('/services/chat-app?teamId=many');
  const [, next = ''] = /href="\/console(\/services\/chat-app\?[^"]*cursor[^"]*)"/.exec(first.text) ?? [];
  expect(first.text).toContain('many-10');
  const second = await owner.open(next.replaceAll('&amp;', '&'));
  expect(second.text).toContain('many-60');
  expect(second.text).not.toContain('many-10');
});

test('what somebody wrote is shown as text, on every page', async () => {
  const hostile = '<script>alert(1)</script>"\u202e&';
  const shown = '&lt;script&gt;alert(1)&lt;/script&gt;&quot;[U+202E]&amp;';
  await api('POST /teams', { id: 'hostile', name: hostile });
  const owned = { teamId: 'hostile', name: hostile };
  await api('POST /users', { id: 'hostile', role: 'viewer', ...owned });
  await api('POST /clients', { id: 'hostile', ...owned });
  await api('POST /senders', { id: 'hostile', sender: 'HOSTILE', ...owned });
  await api('POST /sms-services', { id: 'hostile', sender: 'HOSTILE', ...owned });
  await api('POST /chatapp-services', { id: 'hostile', ...owned });
  await api('POST /senders', {
    id: 'hostile-sender',
    name: hostile,
    category: 'UTILITY',
    sender: 'VERIFY',
  });
  await api('POST /connectors', { name: 'hostile', kind: 'simulator' });
  await api('POST /connectors/hostile/pause', { reason: hostile });
  const units = { product: 'Sms', units: 10, reference: '<script>', note: hostile };
  await api('POST /teams/hostile/top-ups', units);
  const text = { id: 'hostile', teamId: 'hostile', category: 'UTILITY' };
  await api('POST /sms-templates', {
    ...text,
    content: `${hostile} {{name}}`,
    description: hostile,
    managedServiceKey: 'hostile-sender',
  });
  const components = { body: { text: hostile }, footer: { text: hostile }, buttons: [] };
  await api('POST /chatapp-templates', { ...text, language: 'en', components });
  const pages = [
    '/users',
    '/teams',
    '/clients',
    '/services/sms',
    '/services/chat-app',
    '/senders',
    '/templates/sms',
    '/templates/chat-app',
    '/connectors',
  ].flatMap((path) => [path, `${path}/hostile`, `${path}/hostile/edit`]);
  const others = [
    '/audit',
    '/teams/hostile/ledger',
    '/teams/hostile/statement?product=Sms',
    '/templates/sms/hostile/review',
  ];
  const silent: string[] = [];
  for (const path of [...pages, ...others]) {
    const { status, text } = await owner.open(path);
    expect({ path, status, raw: /<script(?! type="module" src="\/console)/.test(text) }).toEqual({
      path,
      status: 200,
      raw: false,
    });
    if (!text.includes(shown)) silent.push(path);
  }
  // Lists of these show neither names nor texts, and settings are not texts.
  expect(silent.filter((path) => path.endsWith('/hostile'))).toEqual([]);
});
