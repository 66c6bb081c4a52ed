/** Every management operation gives each response that the document promises, and is audited if it writes. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Stub, startStub } from '../../../src/connectors/http/provider-testing.ts';
import { type Role, roles } from '../../../src/manage/rules.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { forEvery } from '../../../src/platform/for-every-testing.ts';
import { entriesOf, expectComplete } from '../../support/management/audited.ts';
import { bodies } from '../../support/management/bodies.ts';
import { type Answer, type CallManagement, edit } from '../../support/management/caller.ts';
import {
  addResources,
  addShared,
  callOperation,
  etagFor,
  namedForNew,
  requestOf,
} from '../../support/management/calls.ts';
import {
  isWrite,
  needsIfMatch,
  operations,
  permissionOf,
  requireConformity,
  settableBy,
} from '../../support/management/document.ts';
import { type Named, names } from '../../support/management/named.ts';
import {
  againstRules,
  againstStored,
  ofPlatform,
  withUnknownNames,
} from '../../support/management/refusals.ts';
import { type ManagementService, startManagementService } from '../../support/management/service.ts';

let service: ManagementService;
let root: CallManagement;
let reader: CallManagement;
let acme: Named;
let network: Stub;
const templateAtNetwork = {
  name: 'greeting',
  language: 'sw',
  status: 'APPROVED',
  category: 'UTILITY',
  components: [{ type: 'BODY', text: 'Habari {{name}}' }],
};
const nobodys = names('nowhere');

beforeAll(async () => {
  service = await startManagementService();
  root = await service.user('root', { role: 'owner' });
  // One user may not call so often. With another owner, root would no longer be the last one.
  reader = await service.user('reader', { role: 'viewer' });
  await addShared(root);
  acme = await addResources(service, root, names('acme'));
  const approved = { id: 'acme-approved', teamId: 'acme', content: 'Habari', category: 'UTILITY' };
  await root('POST /sms-templates', approved);
  // So that a service that is to have it does not ask for it.
  await root('POST /senders', { id: 'acme-orders', teamId: 'acme', sender: 'ORDERS' });
  await root('POST /teams/acme/top-ups', { product: 'Sms', units: 5, reference: 'used' });
  network = await startStub(() => ({ status: 200, body: { data: [templateAtNetwork] } }));
  const settings = { businessAccountId: '81', baseUrl: network.url };
  await edit(root, `/connectors/${acme.connectorName}`, { settings, secrets: { token: 'canary-token' } });
  // Root stays the only owner of the platform.
  for (const { name, ...caller } of callers)
    asCaller.set(name, name === 'platform-owner' ? root : await service.user(name, caller));
});
afterAll(async () => {
  await network.close();
  await service.close();
});

/** What removes a resource comes last. */
const titled = operations
  .map((operation) => ({ ...operation, title: operation.operationId }))
  .sort((one, other) => Number(one.method === 'delete') - Number(other.method === 'delete'));

/** Every kind of user that there can be. */
const callers: { name: string; role: Role; teamId?: string }[] = [
  ...roles.map((role) => ({ name: `platform-${role}`, role })),
  ...roles
    .filter((role) => role !== 'reviewer')
    .map((role) => ({ name: `team-${role}`, role, teamId: 'acme' })),
];
const asCaller = new Map<string, CallManagement>();
/** The description of the document as a table: who may do what needs this role. */
const mayDo: Readonly<Record<string, readonly Role[]>> = {
  viewer: ['owner', 'admin', 'reviewer', 'viewer'],
  reviewer: ['owner', 'reviewer'],
  admin: ['owner', 'admin'],
  owner: ['owner'],
};

function isAllowed(permission: string, { role, teamId }: (typeof callers)[number]): boolean {
  const [needed = '', ofPlatform] = permission.split('.').reverse();
  if (ofPlatform !== undefined && teamId !== undefined) return false;
  return mayDo[needed]?.includes(role) ?? false;
}

/** All that an operation promises, in an order in which each step leaves what the next one needs. */
function stepsOf(operation: (typeof titled)[number]): [title: string, check: () => Promise<unknown>][] {
  const steps: ReturnType<typeof stepsOf> = [];
  const step = (title: string, check: () => Promise<unknown>) => void steps.push([title, check]);
  const { operationId, responses, method } = operation;
  const body = (named: Named) => bodies[operationId]?.(named);
  const hasBody = operation.requestBody !== undefined;
  /** Calls as root, with the ids of `path` and the ETag that it needs. */
  const call = async (sent: unknown, path: Named = acme) => {
    const headers = needsIfMatch(operation) ? { 'if-match': await etagFor(root, operation, path) } : {};
    const answer = await root(requestOf(operation, path), sent, headers);
    requireConformity(operation, answer);
    return answer;
  };
  const errorOf = ({ status, headers }: Answer) => [status, headers.get('error-code')];

  step('401 without an access key, and with one that is wrong', async () => {
    for (const key of [undefined, 'root.wrong']) {
      const answer = await service.as(key)(requestOf(operation, acme), body(acme));
      requireConformity(operation, answer);
      expect(answer.status).toBe(401);
    }
  });

  step(`${permissionOf(operation)}: every kind of user is let in or gets 403`, () =>
    forEvery(callers, '$name', async (caller) => {
      // With ids that nobody has, so that nothing is done for those who are let in.
      const request = requestOf(operation, { ...nobodys, teamId: caller.teamId ?? nobodys.teamId });
      const answer = await (asCaller.get(caller.name) as CallManagement)(request, hasBody ? {} : undefined);
      requireConformity(operation, answer);
      expect([answer.status === 403, answer.status < 500]).toEqual([
        !isAllowed(permissionOf(operation), caller),
        true,
      ]);
    }),
  );

  if (operation.path.includes('{')) {
    step('404 for an id that nobody has, and for a path with an invalid one', async () => {
      expect(errorOf(await call(body(nobodys), nobodys))).toEqual([404, 'management-not-found']);
      const invalid = Object.fromEntries(
        Object.keys(nobodys).map((name) => [name, 'a.b']),
      ) as unknown as Named;
      expect(errorOf(await call(body(nobodys), invalid))).toEqual([404, 'no-route']);
    });
  } else if (method === 'get' && responses[404] !== undefined)
    step('404 for a team that does not exist', async () => {
      const request = requestOf(operation, acme);
      const answer = await root(`${request}${request.includes('?') ? '&' : '?'}teamId=nowhere`);
      requireConformity(operation, answer);
      expect(errorOf(answer)).toEqual([404, 'management-not-found']);
    });

  if (hasBody || responses[400] !== undefined)
    step(`400 for ${hasBody ? 'a body' : 'a query'} that the schema does not allow`, async () => {
      if (hasBody) expect(errorOf(await call([]))).toEqual([400, 'schema-violation']);
      else {
        const request = requestOf(operation, acme);
        const headers = needsIfMatch(operation) ? { 'if-match': '"x"' } : {};
        const answer = await root(
          `${request}${request.includes('?') ? '&' : '?'}colour=red`,
          undefined,
          headers,
        );
        requireConformity(operation, answer);
        expect(errorOf(answer)).toEqual([400, 'schema-violation']);
      }
    });

  for (const [refusals, status, code, why] of [
    [againstRules, 400, 'management-faults', 'what breaks a rule of the resource'],
    [withUnknownNames, 404, 'management-not-found', 'names that do not exist'],
    [againstStored, 409, 'management-conflict', 'what does not fit what is stored'],
  ] as const) {
    const refused = refusals[operationId];
    if (refused !== undefined)
      step(`${status} for ${why}, and nothing changes`, async () => {
        const before = await entriesOf(service.management.knex, 'root');
        const { body: sent, path = {} } = refused(acme);
        const answer = await call(sent, { ...acme, ...path });
        expect([...errorOf(answer), answer.text]).toEqual([status, code, expect.any(String)]);
        expect(await entriesOf(service.management.knex, 'root')).toHaveLength(before.length);
      });
  }

  if (ofPlatform[operationId] !== undefined)
    step('403 for what only the platform sets', async () => {
      const headers = needsIfMatch(operation) ? { 'if-match': await etagFor(root, operation, acme) } : {};
      const admin = asCaller.get('team-admin') as CallManagement;
      const answer = await admin(requestOf(operation, acme), ofPlatform[operationId]?.(acme).body, headers);
      requireConformity(operation, answer);
      expect(errorOf(answer)).toEqual([403, 'platform-only']);
    });

  if (needsIfMatch(operation))
    step('428 without If-Match, 412 with that of another version', async () => {
      const missing = await root(requestOf(operation, acme), body(acme));
      const stale = await root(requestOf(operation, acme), body(acme), { 'if-match': '"0123456789abcdef"' });
      for (const answer of [missing, stale]) requireConformity(operation, answer);
      expect([missing.status, stale.status]).toEqual([428, 412]);
      const changed =
        'The resource was changed since you read it: the ETag in If-Match is not the current one.';
      expect(stale.body).toEqual({ desc: changed });
    });

  step(
    `succeeds as documented, and ${isWrite(operation) ? 'leaves one entry' : 'leaves nothing'} in the audit log`,
    async () => {
      const { knex } = service.management;
      const before = await entriesOf(knex, 'root');
      const creates = operationId.startsWith('create');
      const named = creates ? namedForNew(operation, acme, names('other')) : acme;
      const answer = await callOperation(root, operation, named);
      requireConformity(operation, answer);
      expect({ status: answer.status, text: answer.text }).toMatchObject({
        status: expectedStatus(operation),
      });
      const location = answer.headers.get('location');
      expect(location !== null).toBe(answer.status === 201);
      if (location !== null) {
        const mayRead = operation.operationId === 'createUser' ? root : reader;
        const shown = await mayRead(`GET ${location.replace('/management', '')}`);
        expect(shown.headers.get('etag')).toBe(answer.headers.get('etag'));
      }
      const entries = (await entriesOf(knex, 'root')).slice(before.length);
      expect(entries).toHaveLength(isWrite(operation) ? 1 : 0);
      const { accessKey, clientSecret, signingSecret } = answer.body ?? {};
      const secrets = ['canary', accessKey, clientSecret, signingSecret].filter((one) => one !== undefined);
      for (const entry of entries) expectComplete(entry, { kind: 'user', name: 'root' }, secrets);
      expect(answer.text).not.toContain('canary');
    },
  );

  // The settings of a connector say where it connects to.
  if (operationId.startsWith('update') && operationId !== 'updateConnector')
    step('sets every property that may change, and shows it from then on', async () => {
      const set = body(acme) ?? {};
      expect(Object.keys(set).sort()).toEqual(settableBy(operation));
      expect((await call(set)).body).toMatchObject(set);
      const shown = operation.path.slice(0, operation.path.lastIndexOf('}') + 1);
      expect(
        (await root(requestOf({ method: 'get', path: shown, parameters: [] }, acme))).body,
      ).toMatchObject(set);
    });
  return steps;
}

test.each(titled)('$title', (operation) => forEvery(stepsOf(operation), '%s', (_title, check) => check()));

describe('every operation, when the service cannot serve', () => {
  afterEach(() => service.breakDatabase(undefined));

  test('503 while the database is away, 500 when it fails otherwise', async () => {
    const gone = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    for (const [error, status] of [[gone, 503] as const, [new Error('broken'), 500] as const]) {
      service.breakDatabase(undefined);
      // One user may not call so often.
      const owner = await service.user(`owner-${status}`, { role: 'owner' });
      service.breakDatabase(error);
      for (const operation of operations) {
        const answer = await owner(requestOf(operation, acme), bodies[operation.operationId]?.(acme));
        requireConformity(operation, answer);
        expect([operation.operationId, answer.status]).toEqual([operation.operationId, status]);
      }
    }
  });

  describe('while no time passes', () => {
    let stopped: ManagementService;
    beforeAll(async () => {
      stopped = await startManagementService({ ...systemClock, elapsedMs: () => 0 });
    });
    afterAll(() => stopped?.close());

    const rejected = 'Too many requests were rejected. Try again later.';
    test.each([
      [
        '429 for a user who calls too often',
        async () => stopped.user('busy', { role: 'owner' }),
        'The limit of 50 requests per second is exceeded.',
        201,
      ],
      ['429 after too many wrong keys', async () => stopped.as('nobody.wrong'), rejected, undefined],
    ])('%s; others go on', async (_what, caller, sentence, allowed) => {
      const other = await stopped.user(`other-${allowed}`, { role: 'owner' });
      expect((await other('GET /teams')).status).toBe(200);
      const call = await caller();
      let calls = 0;
      while ((await call('GET /teams')).status !== 429) calls += 1;
      if (allowed !== undefined) expect(calls).toBe(allowed);
      for (const operation of operations) {
        const answer = await call(requestOf(operation, acme), bodies[operation.operationId]?.(acme));
        requireConformity(operation, answer);
        expect([
          operation.operationId,
          answer.status,
          answer.headers.get('retry-after'),
          answer.body,
        ]).toEqual([
          operation.operationId,
          429,
          '1',
          { error: 'rate_limit_exceeded', error_description: sentence },
        ]);
      }
      expect((await other('GET /teams')).status).toBe(200);
    });
  });
});

function expectedStatus({ responses }: { responses: object }): number {
  return Number(Object.keys(responses).find((status) => status.startsWith('2')));
}
