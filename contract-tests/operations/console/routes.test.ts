/** What of the management API the console can do, and whom it offers that to. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createRoutes } from '../../../src/console/routes.ts';
import { managementOperations } from '../../../src/contract/management.ts';
import { type ConsoleService, startConsole } from '../../support/console/service.ts';
import { hurried } from '../../support/management/service.ts';

const operations = new Map(managementOperations().map((operation) => [operation.id, operation]));
const routes = createRoutes(operations);

/** Operations without a page, and why. */
const withoutPage: Readonly<Record<string, string>> = {
  exportPortedNumbers: 'Millions of numbers are a file, which the command writes.',
};

test('every operation of the management API has a page, or a reason why it has none', () => {
  const reached = new Set(routes.flatMap((route) => route.operations as readonly string[]));
  const missing = [...operations.keys()].filter((id) => !reached.has(id) && !Object.hasOwn(withoutPage, id));
  expect(missing).toEqual([]);
  expect(Object.keys(withoutPage).filter((id) => reached.has(id))).toEqual([]);
});

test('no page stands in the way of another', () => {
  const shapes = routes.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, ':')}`);
  expect(shapes.filter((shape, place) => shapes.indexOf(shape) !== place)).toEqual([]);
});

describe('roles', () => {
  let service: ConsoleService;
  beforeAll(async () => {
    // No person opens a hundred pages a second, as this test does.
    service = await startConsole({}, hurried);
    const api = await service.user('program', { role: 'owner' });
    await api('POST /teams', { id: 'acme' });
    await api('POST /clients', { id: 'shop', teamId: 'acme' });
    await api('POST /teams/acme/top-ups', { product: 'Sms', units: 10, reference: 'first' });
  });
  afterAll(() => service.close());

  test('what a role may not do is said with who may', async () => {
    const viewer = await service.visitor('visitor', { role: 'viewer', teamId: 'acme' });
    expect((await viewer.open('/clients')).text).toContain('<a href="/console/teams/acme">Team</a>');
    expect((await viewer.open('/clients/shop/edit')).text).toContain(
      'The role viewer may not do this; admin may.',
    );
    expect((await viewer.open('/connectors')).text).toContain('Only users of the platform may do this.');
  });

  test('an admin of a team changes what is theirs, without naming the team', async () => {
    const admin = await service.visitor('chief', { role: 'admin', teamId: 'acme' });
    expect((await admin.open('/new/clients')).text).not.toContain('name="teamId"');
    const sent = await admin.send('/new/services/sms', { id: 'orders', sender: 'ACME' });
    expect(sent.location).toBe('/services/sms/orders?done=createSmsService');
    expect((await admin.open('/teams/acme/accounts')).text).not.toContain('Top up</a>');
    expect((await admin.open('/teams/acme/top-up')).status).toBe(403);
  });

  test('every page opens, and each link on it leads somewhere', async () => {
    const owner = await service.visitor('amina', { role: 'owner' });
    const waiting = ['/teams'];
    const seen = new Set(waiting);
    const broken: { path: string; status: number }[] = [];
    for (const path of waiting) {
      const { status, text } = await owner.open(path);
      if (status !== 200) broken.push({ path, status });
      for (const [, link = ''] of text.matchAll(/href="\/console(\/(?!assets)[^"#]*)"/g)) {
        const target = link.replaceAll('&amp;', '&');
        if (seen.has(target) || target === '/') continue;
        seen.add(target);
        waiting.push(target);
      }
    }
    expect(broken).toEqual([]);
    expect(seen.size).toBeGreaterThan(60);
  });
});
