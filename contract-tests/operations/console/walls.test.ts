/** Roles, teams and costs over every page: what the API refuses is refused, says nothing of other teams, and is not offered. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createFinder } from '../../../src/console/find-route.ts';
import type { ConsoleRoute } from '../../../src/console/page.ts';
import { createRoutes } from '../../../src/console/routes.ts';
import { managementOperations } from '../../../src/contract/management.ts';
import { hasPermission } from '../../../src/manage/access/permissions.ts';
import { type Role, roles } from '../../../src/manage/rules.ts';
import { forEvery, testEvery } from '../../../src/platform/for-every-testing.ts';
import { type ConsoleService, startConsole } from '../../support/console/service.ts';
import type { Opened, Visitor } from '../../support/console/visitor.ts';
import { addResources, addShared } from '../../support/management/calls.ts';
import { type Named, names } from '../../support/management/named.ts';

const operations = new Map(managementOperations().map((operation) => [operation.id, operation]));
const routes = createRoutes(operations);

let service: ConsoleService;
let acme: Named;
let rival: Named;
/** As long as acme's. */
const nobodys = names('none');

beforeAll(async () => {
  service = await startConsole();
  const root = await service.user('root', { role: 'owner' });
  await addShared(root);
  acme = await addResources(service, root, names('acme'));
  rival = await addResources(service, root, names('rival'));
});
afterAll(() => service.close());

/** What the first parameter of a path names. */
const firstOf: Readonly<Record<string, keyof Named>> = {
  users: 'userId',
  teams: 'teamId',
  clients: 'clientId',
  'services/sms': 'serviceId',
  'services/chat-app': 'chatAppServiceId',
  'chatapp-senders': 'chatAppSenderId',
  senders: 'senderId',
  'sender-rules': 'country',
  'quiet-hours': 'country',
  'templates/sms': 'templateId',
  'templates/chat-app': 'chatAppTemplateId',
  campaigns: 'campaignId',
  channels: 'channelName',
  connectors: 'connectorName',
  routes: 'routeName',
  requests: 'requestId',
  receipts: 'receiptId',
  endpoints: 'teamId',
  quarantine: 'itemId',
};

function filled(path: string, named: Named): string {
  const [, collection = ''] = /^\/([a-z/-]+?)(?:\/:|$)/.exec(path) ?? [];
  const first = firstOf[collection];
  return path
    .replace(/:(id|team|teamId)\b/, first === undefined ? '' : named[first])
    .replace(':message', named.messageId)
    .replace(':key', named.endpointKey);
}

const permissionOf = ({ operations: [first] }: ConsoleRoute) =>
  operations.get(first ?? '')?.permission ?? 'viewer';
const titled = routes.map((route) => ({ ...route, title: `${route.method} ${route.path}` }));

describe('a page of another team is like one that does not exist', () => {
  /** Of everybody, and of the platform alone. */
  const shared = ['/sender-rules', '/quiet-hours', '/channels', '/connectors', '/routes', '/quarantine'];
  const walled = titled.filter(
    ({ path }) => path.includes('/:') && !shared.some((start) => path.startsWith(start)),
  );
  let owner: Visitor;
  beforeAll(async () => {
    owner = await service.visitor('rival-chief', { role: 'owner', teamId: 'rival' });
  });

  /** Without what differs from page to page, and with the ids of one owner for those of another. */
  function essence({ status, location, text }: Opened): unknown {
    const page = text
      .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'uuid')
      .replaceAll(acme.endpointKey, nobodys.endpointKey)
      .replaceAll(/\b[\da-f]{8}…/g, 'uuid…')
      .replaceAll('acme', 'none');
    return { status, location: location?.replaceAll('acme', 'none'), page };
  }

  /** What some forms have, so that they would change something. */
  const taken = {
    name: 'taken',
    role: 'viewer',
    secret: 'client',
    status: 'Archived',
    decision: 'APPROVED',
    which: 'All',
    product: 'Sms',
    units: '5',
    reference: 'taken',
    note: 'taken',
    from: '2026-01-01T00:00:00',
  };

  testEvery(walled)('$title', async ({ method, path }) => {
    const ask = async (named: Named) =>
      method === 'GET' ? owner.open(filled(path, named)) : owner.post(filled(path, named), taken);
    const foreign = await ask(acme);
    expect(essence(foreign)).toEqual(essence(await ask(nobodys)));
    // A statement without an account leads to the accounts.
    expect([303, 400, 403, 404]).toContain(foreign.status);
  });
});

describe('a role', () => {
  const readers = [undefined, 'rival'].flatMap((teamId) =>
    roles
      .filter((role) => teamId === undefined || role !== 'reviewer')
      .map((role): { role: Role; teamId: string | undefined } => ({ role, teamId })),
  );
  const gets = routes.filter(({ method }) => method === 'GET');
  const find = createFinder(routes);

  testEvery(readers)(
    '$role of $teamId opens what it may, and is offered nothing else',
    async ({ role, teamId }) => {
      const id = `${role}-of-${teamId ?? 'platform'}`;
      const visitor = await service.visitor(id, { role, ...(teamId === undefined ? {} : { teamId }) });
      const may = (route: ConsoleRoute) => hasPermission({ role, teamId }, permissionOf(route));
      const wrong: string[] = [];
      for (const route of gets) {
        const path = filled(route.path, rival);
        const { status, text } = await visitor.open(path);
        const expected = may(route) ? [200, 303, 400, 404] : [403];
        if (!expected.includes(status)) wrong.push(`${path} is ${status}`);
        for (const [, link = ''] of text.matchAll(
          /(?:href|action)="\/console(\/(?!assets|sign-|view|me)[^"?#]*)/g,
        )) {
          const isForm = text.includes(`method="post" action="/console${link}"`);
          const found = find(isForm ? 'POST' : 'GET', link);
          if (typeof found === 'object' && !may(found.route)) wrong.push(`${path} offers ${link}`);
        }
      }
      expect(wrong).toEqual([]);
    },
  );
});

describe('a form of 256 KB', () => {
  const longest = 260_000;
  const posts = titled.filter(({ method }) => method === 'POST');
  const proto = URLSearchParams.prototype;
  const looks = {
    get: proto.get,
    getAll: proto.getAll,
    has: proto.has,
    keys: proto.keys,
    entries: proto.entries,
  };

  /** How many fields of forms are looked at meanwhile; a search for one may look at all. */
  async function looksDuring(act: () => Promise<unknown>): Promise<number> {
    let count = 0;
    const counting = <Method extends (...args: never[]) => unknown>(method: Method) =>
      function (this: URLSearchParams, ...args: Parameters<Method>) {
        count += this.size;
        return method.apply(this, args);
      };
    for (const [name, method] of Object.entries(looks)) Object.assign(proto, { [name]: counting(method) });
    Object.assign(proto, { [Symbol.iterator]: counting(looks.entries) });
    try {
      await act();
    } finally {
      Object.assign(proto, looks, { [Symbol.iterator]: looks.entries });
    }
    return count;
  }

  const many = Array.from({ length: longest / 4 }, (): [string, string] => ['a', '']);
  /** As many as are taken, each in a row of its own; a third of them of each kind. */
  const rowsOf = (field: string, fields: number) =>
    Array.from({ length: fields }, (_, row): [string, string] => [
      field.replace('*', String(row)),
      'a'.repeat(longest / 990 - field.length - 10),
    ]);
  const form = ['inboundKeywords.*.word', 'paramDefinitions.*.name', 'scopes'].flatMap((field) =>
    rowsOf(field, 330),
  );

  async function tooMany(visitor: Visitor, path: string): Promise<void> {
    const refused = await visitor.post(filled(path, acme), many);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('more than 1000 properties');
    expect(refused.text.length).toBeLessThan(20_000);
  }

  async function looksAtEach(visitor: Visitor, path: string): Promise<void> {
    const count = await looksDuring(() => visitor.post(filled(path, acme), form));
    expect(count).toBeLessThan(60 * form.length);
  }

  test('is refused where it has too many fields, else each of them is looked at a few times', async () => {
    const chief = await service.visitor('chief', { role: 'owner' });
    await tooMany(chief, posts[0]?.path ?? '');
    await forEvery(posts, '$title', ({ path }) => looksAtEach(chief, path));
  });
});
