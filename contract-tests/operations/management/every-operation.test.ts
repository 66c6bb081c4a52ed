/** Every management operation: conforms to the document, needs its role and version, and is audited if it writes. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Stub, startStub } from '../../../src/connectors/http/provider-testing.ts';
import type { Role } from '../../../src/manage/rules.ts';
import { type Answer, type CallManagement, edit } from '../../support/management/caller.ts';
import {
  addResources,
  addShared,
  bodies,
  callOperation,
  type Named,
  namedForNew,
  names,
  requestOf,
} from '../../support/management/calls.ts';
import {
  isWrite,
  needsIfMatch,
  operations,
  permissionOf,
  requireConformity,
} from '../../support/management/document.ts';
import { startManagementService } from '../../support/management/service.ts';

let service: Awaited<ReturnType<typeof startManagementService>>;
let root: CallManagement;
let acme: Named;
let network: Stub;
const templateAtNetwork = {
  ...{ name: 'greeting', language: 'sw', status: 'APPROVED', category: 'UTILITY' },
  components: [{ type: 'BODY', text: 'Habari {{name}}' }],
};
const callers = new Map<string, CallManagement>();

beforeAll(async () => {
  service = await startManagementService();
  root = await service.user('root', { role: 'owner' });
  await addShared(root);
  acme = await addResources(service, root, names('acme'));
  for (const role of ['viewer', 'reviewer', 'admin'] satisfies Role[])
    callers.set(`platform.${role}`, await service.user(`the-${role}`, { role }));
  callers.set('owner of a team', await service.user('acme-owner', { role: 'owner', teamId: 'acme' }));
  network = await startStub(() => ({ status: 200, body: { data: [templateAtNetwork] } }));
  const settings = { businessAccountId: '81', baseUrl: network.url };
  await edit(root, `/connectors/${acme.connectorName}`, { settings });
  callers.set('viewer of a team', await service.user('acme-viewer', { role: 'viewer', teamId: 'acme' }));
});
afterAll(async () => {
  await network.close();
  await service.close();
});

/** What removes a resource comes last. */
const titled = operations
  .map((operation) => ({ ...operation, title: operation.operationId }))
  .sort((one, other) => Number(one.method === 'delete') - Number(other.method === 'delete'));
const entriesByRoot = () =>
  service.management
    .knex('audit_log')
    .where({ actor_kind: 'user', actor_name: 'root' })
    .count('id as n')
    .first();

const strongest: Record<Role, string[]> = {
  viewer: [],
  reviewer: ['platform.admin'],
  admin: ['platform.reviewer'],
  owner: ['platform.admin'],
};

/** The strongest callers whose role is not enough, of the platform and of a team. */
function refusedCallers(permission: string): string[] {
  const needed = permission.replace('platform.', '') as Role;
  if (permission !== needed) return [...strongest[needed], 'owner of a team'];
  return needed === 'viewer' ? [] : [...strongest[needed], 'viewer of a team'];
}

describe.each(titled)('$title', (operation) => {
  const body = (named: Named) => bodies[operation.operationId]?.(named);

  test('401 without an access key, and with one that is wrong', async () => {
    for (const key of [undefined, 'root.wrong']) {
      const answer = await service.as(key)(requestOf(operation, acme), body(acme));
      requireConformity(operation, answer);
      expect(answer.status).toBe(401);
    }
  });

  test('403 for every role that is not enough', async () => {
    for (const name of refusedCallers(permissionOf(operation))) {
      const answer: Answer = await (callers.get(name) as CallManagement)(
        requestOf(operation, acme),
        body(acme),
      );
      requireConformity(operation, answer);
      expect([name, answer.status]).toEqual([name, 403]);
    }
  });

  if (needsIfMatch(operation))
    test('428 without If-Match, 412 with that of another version', async () => {
      const missing = await root(requestOf(operation, acme), body(acme));
      const stale = await root(requestOf(operation, acme), body(acme), { 'if-match': '"0123456789abcdef"' });
      for (const answer of [missing, stale]) requireConformity(operation, answer);
      expect([missing.status, stale.status]).toEqual([428, 412]);
    });

  test(`succeeds as documented, and ${isWrite(operation) ? 'leaves one entry' : 'leaves nothing'} in the audit log`, async () => {
    const before = Number((await entriesByRoot())?.n);
    const creates = operation.operationId.startsWith('create');
    const named = creates ? namedForNew(operation, acme, names('other')) : acme;
    const answer = await callOperation(root, operation, named);
    requireConformity(operation, answer);
    expect({ status: answer.status, text: answer.text }).toMatchObject({ status: expectedStatus(operation) });
    expect(Number((await entriesByRoot())?.n) - before).toBe(isWrite(operation) ? 1 : 0);
    expect(answer.text).not.toContain('canary');
  });
});

function expectedStatus({ responses }: { responses: object }): number {
  return Number(Object.keys(responses).find((status) => status.startsWith('2')));
}
