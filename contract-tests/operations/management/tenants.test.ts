/** Teams are isolated in the management API too: ids of another team get the response of unknown ids. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { testEvery } from '../../../src/platform/for-every-testing.ts';
import { idPlacesOf } from '../../support/document/id-places.ts';
import { bodies } from '../../support/management/bodies.ts';
import type { Answer, CallManagement } from '../../support/management/caller.ts';
import { addResources, addShared, etagFor, namedForNew, requestOf } from '../../support/management/calls.ts';
import { needsIfMatch, operations } from '../../support/management/document.ts';
import { type Named, names } from '../../support/management/named.ts';
import { type ManagementService, startManagementService } from '../../support/management/service.ts';

let service: ManagementService;
let root: CallManagement;
let rival: CallManagement;
let acme: Named;
/** As long as acme's. */
const nobodys = names('none');

beforeAll(async () => {
  service = await startManagementService();
  root = await service.user('root', { role: 'owner' });
  await addShared(root);
  acme = await addResources(service, root, names('acme'));
  const { teamId } = await addResources(service, root, names('rival'));
  rival = await service.user('rival-owner', { role: 'owner', teamId });
});
afterAll(() => service.close());

/** The whole response, without what differs from call to call, and with the ids of one owner for those of another. */
function essence({ status, headers, text }: Answer): unknown {
  const kept = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
  const same = (['requestId', 'messageId', 'receiptId', 'endpointKey'] as const).reduce(
    (all, name) => all.replaceAll(acme[name], nobodys[name]),
    text,
  );
  return { status, headers: kept, text: same.replaceAll('acme', 'none') };
}

async function calls(named: Named, operation: (typeof operations)[number]): Promise<Answer> {
  const headers = needsIfMatch(operation) ? { 'if-match': '"0123456789abcdef"' } : {};
  return rival(requestOf(operation, named), bodies[operation.operationId]?.(named), headers);
}

const withIds = operations.filter(({ path }) => path.includes('{') && !path.includes('{itemId}'));
/** Those that every team may read. */
const shared = ['getChannel', 'getQuietHours', 'getSenderRules'];
const walled = withIds.filter(({ operationId }) => !shared.includes(operationId));

describe('an id of another team in the path gets the same response as an unknown one', () => {
  testEvery(walled.map((operation) => ({ ...operation, title: operation.operationId })))(
    '$title',
    async (operation) => {
      const foreign = await calls(acme, operation);
      const unknown = await calls(nobodys, operation);
      expect(essence(foreign)).toEqual(essence(unknown));
      expect([403, 404]).toContain(foreign.status);
    },
  );
});

/** What bodies name of a team. */
const naming = ['teamId', 'serviceId', 'clientId', 'chatAppServiceId', 'requestId'] as const;

/** As the document calls it there. */
function wordFor(name: (typeof naming)[number], operationId: string): string {
  if (name === 'chatAppServiceId') return 'serviceId';
  return name === 'clientId' && /(Sms|ChatApp)Service$/.test(operationId) ? 'inboundClientId' : name;
}

/** The ids that the document has in bodies or queries, but for those of what is created. */
function placesIn(part: 'body' | 'query'): string[] {
  const places = operations.flatMap((operation) => idPlacesOf(operation));
  const inPart = places.filter((place) => place.in === part && place.name !== 'id');
  return [...new Set(inPart.map(({ operationId, name }) => `${operationId} ${name}`))];
}

describe('an id of another team in a body gets the same response as an unknown one', () => {
  const cases = operations.flatMap((operation) => {
    const bodyOf = bodies[operation.operationId];
    if (bodyOf === undefined) return [];
    // Not the id of what is created: whether it is free must be said.
    const written = (named: Named) => JSON.stringify({ ...bodyOf(named), id: '' });
    const own = names('rival');
    return naming
      .filter((name) => written({ ...own, [name]: 'x' }) !== written(own))
      .map((name) => ({
        operation,
        bodyOf,
        name,
        title: `${operation.operationId} ${wordFor(name, operation.operationId)}`,
      }));
  });

  test('all that the document has are covered', () => {
    const covered = cases.map(({ title }) => title);
    expect(placesIn('body').filter((place) => !covered.includes(place))).toEqual([]);
  });

  testEvery(cases)('$title', async ({ operation, bodyOf, name }) => {
    const own = names('rival');
    const fresh = namedForNew(operation, own, names('fresh'));
    const path = requestOf(operation, own);
    const call = async (owner: Named) => {
      const headers = needsIfMatch(operation) ? { 'if-match': await etagFor(rival, operation, own) } : {};
      return rival(path, bodyOf({ ...fresh, [name]: owner[name] }), headers);
    };
    const foreign = await call(acme);
    expect(essence(foreign)).toEqual(essence(await call(nobodys)));
    expect([403, 404]).toContain(foreign.status);
  });
});

describe('an id of another team in a query gets the same response as an unknown one', () => {
  /** Of the resources of a team. */
  const idOf = (name: string, named: Named) =>
    name === 'correlator' ? `${named.teamId}-correlator` : named[name as keyof Named];
  const cases = placesIn('query').map((title) => {
    const [operationId, name = ''] = title.split(' ');
    return { title, name, operation: operations.find((one) => one.operationId === operationId) };
  });

  testEvery(cases)('$title', async ({ operation, name }) => {
    const request = requestOf(operation ?? fail(), names('rival'));
    const call = (owner: Named) => {
      const value = idOf(name, owner) ?? fail();
      return rival(`${request}${request.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`);
    };
    expect(essence(await call(acme))).toEqual(essence(await call(nobodys)));
  });
});

function fail(): never {
  throw new Error('the test does not know what the document names');
}

describe('lists', () => {
  const lists = operations.filter(
    ({ operationId, path }) => operationId.startsWith('list') && !path.includes('{'),
  );

  testEvery(lists.map((operation) => ({ ...operation, title: operation.operationId })))(
    '$title shows nothing of another team',
    async ({ path, parameters = [] }) => {
      const own = await rival(`GET ${path}?limit=100`);
      expect(own.text.replaceAll(/"acme[^"]*channel"/g, '')).not.toContain('acme');
      if (!parameters.some(({ name }) => name === 'teamId')) return;
      const foreign = await rival(`GET ${path}?teamId=acme`);
      expect(essence(foreign)).toEqual(essence(await rival(`GET ${path}?teamId=none`)));
      expect([own.status, foreign.status]).toEqual([200, 404]);
    },
  );
});

test('nothing of the other team has changed', async () => {
  const changes = await service.management
    .knex('audit_log')
    .where({ actor_name: 'rival-owner' })
    .pluck('noun_id');
  expect(changes.filter((id: string) => id.includes('acme'))).toEqual([]);
});
