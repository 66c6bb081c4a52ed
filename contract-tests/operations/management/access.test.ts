/** Users and their access keys: rotation, withdrawal, disabling, the last owner, and too many wrong keys. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CallManagement } from '../../support/management/caller.ts';
import { addResources, addShared } from '../../support/management/calls.ts';
import { operations, requireConformity } from '../../support/management/document.ts';
import { names } from '../../support/management/named.ts';
import { type ManagementService, startManagementService } from '../../support/management/service.ts';

let service: ManagementService;
let root: CallManagement;

beforeAll(async () => {
  service = await startManagementService();
  root = await service.user('root', { role: 'owner' });
  await root('POST /teams', { id: 'acme' });
});
afterAll(() => service.close());

const statusOf = async (key: string) => (await service.as(key)('GET /teams')).status;

async function change(path: string, body: object) {
  const { headers } = await root(`GET ${path}`);
  return root(`PATCH ${path}`, body, { 'if-match': headers.get('etag') ?? '' });
}

test('201: the key of a new user works at once, and only its hash is stored', async () => {
  const { body } = await root('POST /users', { id: 'amina', role: 'viewer' });
  expect(await statusOf(body.accessKey)).toBe(200);
  const { rows } = await service.management.knex.raw('select row_to_json(u)::text as user from users u');
  expect(JSON.stringify(rows)).not.toContain(body.accessKey.split('.')[1]);
});

test('both keys work during a rotation; the former one ends when it is withdrawn', async () => {
  const { body: first } = await root('POST /users', { id: 'juma', role: 'viewer' });
  const { body: second } = await root('POST /users/juma/rotate');
  expect([await statusOf(first.accessKey), await statusOf(second.accessKey)]).toEqual([200, 200]);
  await root('POST /users/juma/revoke-former');
  expect([await statusOf(first.accessKey), await statusOf(second.accessKey)]).toEqual([401, 200]);
});

test('a disabled user may not call, and its keys stay invalid when it is enabled', async () => {
  const { body } = await root('POST /users', { id: 'zuri', role: 'viewer' });
  expect((await change('/users/zuri', { enabled: false })).body).toMatchObject({
    enabled: false,
    accessKeys: 0,
  });
  expect(await statusOf(body.accessKey)).toBe(401);
  await change('/users/zuri', { enabled: true });
  expect(await statusOf(body.accessKey)).toBe(401);
  const { body: rotated } = await root('POST /users/zuri/rotate');
  expect(await statusOf(rotated.accessKey)).toBe(200);
});

test('an owner of the platform may be changed while there is another', async () => {
  await root('POST /users', { id: 'second', role: 'owner' });
  expect((await change('/users/second', { role: 'viewer' })).status).toBe(200);
});

test('users of a team add users of their team only, and no reviewers', async () => {
  const owner = await service.user('acme-owner', { role: 'owner', teamId: 'acme' });
  const added = await owner('POST /users', { id: 'acme-admin', role: 'admin' });
  expect([added.status, added.body.user.teamId]).toEqual([201, 'acme']);
  expect(await owner('POST /users', { id: 'acme-reviewer', role: 'reviewer' })).toMatchObject({
    status: 400,
    body: { desc: 'role must be one of owner, admin, viewer' },
  });
  expect((await owner('GET /users')).body.items.map(({ id }: { id: string }) => id)).toEqual([
    'acme-admin',
    'acme-owner',
  ]);
});

test('lists have pages', async () => {
  for (const id of ['b1', 'b2', 'b3']) await root('POST /teams', { id });
  const first = await root('GET /teams?limit=2');
  const second = await root(`GET /teams?limit=2&cursor=${encodeURIComponent(first.body.next)}`);
  const ids = [...first.body.items, ...second.body.items].map(({ id }: { id: string }) => id);
  expect(ids).toEqual(['acme', 'b1', 'b2', 'b3']);
  expect(second.body.next).toBeUndefined();
  expect(await root('GET /teams?cursor=AAAA')).toMatchObject({ status: 400 });
});

test('409: a name at the provider that two users get at once belongs to one', async () => {
  const both = ['one', 'two'].map((id) => root('POST /users', { id, role: 'viewer', ssoName: 'at-once' }));
  expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([201, 409]);
});

test('the reference and the document are served without a key', async () => {
  const { origin } = new URL(service.url);
  const reference = await fetch(`${origin}/`);
  const page = await fetch(`${origin}/docs/management/listTeams`);
  const document = await (await fetch(`${origin}/openapi.json`)).json();
  expect(reference.url).toBe(`${origin}/docs/management`);
  expect(await reference.text()).toContain('POST /management/connectors/{connectorName}/pause');
  expect(await page.text()).toContain('data-base="../../management/"');
  expect(document).toMatchObject({ info: { title: 'Tarishi management' } });
  expect((await fetch(`${origin}/teams`)).status).toBe(404);
});

test('viewers and reviewers see no phone number of a message, its request and its receipts; admins do', async () => {
  const { knex } = service.management;
  await addShared(root);
  const { requestId, messageId, receiptId } = await addResources(service, root, names('masked'));
  const phone = '+254711000000';
  const listMessages = operations.find(({ operationId }) => operationId === 'listMessages');
  if (listMessages === undefined) throw new Error('the document has no listMessages');
  const ofRequest = { request_id: requestId };
  await knex('requests').where({ id: requestId }).update('correlator', `for ${phone}`);
  await knex('messages').where(ofRequest).update('reason', `no ${phone}`);
  await knex('receipts').where(ofRequest).update('body', JSON.stringify({ phone }));
  const paths = [
    '/messages',
    `/requests/${requestId}`,
    `/requests/${requestId}/messages/${messageId}`,
    `/receipts/${receiptId}`,
    '/receipts',
  ];
  for (const role of ['viewer', 'reviewer', 'admin'] as const) {
    const call = await service.user(`sees-${role}`, { role });
    for (const path of paths) {
      const { status, text } = await call(`GET ${path}`);
      expect([role, path, status, text.includes(phone)]).toEqual([role, path, 200, role === 'admin']);
      if (role !== 'admin') expect(text).toContain('+254 7•• ••• •00');
    }
    // By its end a number could be guessed.
    const byEnd = await call('GET /messages?phoneEnd=000000');
    requireConformity(listMessages, byEnd);
    expect([role, byEnd.status]).toEqual([role, role === 'admin' ? 200 : 403]);
  }
});
