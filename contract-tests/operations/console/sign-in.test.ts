/** Sign-in to the console with access keys, and in the demo with one click. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { demoConsoleLink } from '../../../src/console/session/demo-key.ts';
import { revokeFormerUserKey, rotateUserKey } from '../../../src/manage/access/users.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { createBrowser } from '../../support/console/browser.ts';
import { type People, sessionCookie, startPeople } from '../../support/console/people.ts';

/** Stands still, so that a slow machine is allowed no more than a fast one. */
const clock = { ...systemClock, aheadMs: 0, elapsedMs: () => clock.aheadMs };
let key: string;
let demoKey: string | undefined;
let people: People;
let service: People['service'];
let at: People['at'];
let newUser: People['newUser'];
let hasSession: People['hasSession'];

beforeAll(async () => {
  people = await startPeople(clock, { demoKey: () => demoKey });
  ({ service, at, newUser, hasSession } = people);
  key = (await newUser()).accessKey;
});
afterAll(() => people.service.close());

describe('with an access key', () => {
  test('a person comes to the page that was asked for', async () => {
    const browser = createBrowser();
    const asked = await browser.go(at('/teams?limit=5'));
    expect(asked.status).toBe(401);
    expect(asked.text).toContain('name="target" value="/teams?limit=5"');
    const { status, next, headers } = await browser.go(at('/sign-in'), {
      accessKey: key,
      target: '/teams?limit=5',
    });
    expect([status, next]).toEqual([303, at('/teams?limit=5')]);
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-tarishi-console=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; Secure; SameSite=Strict$/,
      ),
    ]);
    expect((await browser.go(next ?? '')).status).toBe(200);
  });

  test('an unknown, a withdrawn and a malformed key get the same page, without the key', async () => {
    const { id, accessKey: withdrawn } = await newUser();
    await rotateUserKey(service.management, id);
    await revokeFormerUserKey(service.management, id);
    const pages = [];
    for (const accessKey of [withdrawn, 'nobody.cGFzc3dvcmQ', '"><script>canary</script>', '']) {
      const { status, text } = await createBrowser().go(at('/sign-in'), { accessKey });
      expect(status).toBe(401);
      if (accessKey !== '') expect(text).not.toContain(accessKey);
      expect(text).not.toContain('canary');
      pages.push(text);
    }
    expect(new Set(pages).size).toBe(1);
  });

  test('429 after too many wrong keys, also for a good one, until the time is over', async () => {
    let status = 401;
    for (let attempt = 0; attempt < 200 && status === 401; attempt += 1)
      ({ status } = await createBrowser().go(at('/sign-in'), { accessKey: 'nobody.x' }));
    const refused = await createBrowser().go(at('/sign-in'), { accessKey: key });
    expect([status, refused.status]).toEqual([429, 429]);
    expect(refused.text).toMatch(/Too many attempts. Try again in \d+ seconds./);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    clock.aheadMs += 60_000;
    await people.signedIn();
  });

  test('429 for a user who signs in again and again, as a program would; others go on', async () => {
    const { id, accessKey } = await newUser();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 35; attempt += 1)
      statuses.push((await createBrowser().go(at('/sign-in'), { accessKey })).status);
    expect(new Set(statuses)).toEqual(new Set([303, 429]));
    const signIns = await service.management.knex('audit_log').where({ noun_id: id, action: 'sign in' });
    expect(signIns).toHaveLength(statuses.filter((status) => status === 303).length);
    await people.signedIn();
    clock.aheadMs += 60_000;
    expect((await createBrowser().go(at('/sign-in'), { accessKey })).status).toBe(303);
  });

  test('the id of a session is made at the sign-in: one that was planted opens nothing', async () => {
    const browser = createBrowser();
    const planted = 'p'.repeat(43);
    browser.cookies(at('/')).set(sessionCookie, planted);
    await browser.go(at('/sign-in'), { accessKey: key });
    expect(browser.cookies(at('/')).get(sessionCookie)).not.toBe(planted);
    const attacker = createBrowser();
    attacker.cookies(at('/')).set(sessionCookie, planted);
    expect((await attacker.go(at('/teams'))).status).toBe(401);
  });
});

describe('the demo', () => {
  test('signs in with one click, for a browser on this machine', async () => {
    const { accessKey } = await newUser();
    demoKey = accessKey;
    const browser = createBrowser();
    const link = demoConsoleLink(at(''), accessKey) ?? '';
    expect((await browser.go(link)).text).toContain('Open the demo');
    const key = new URL(link).searchParams.get('key') ?? '';
    const { status, next } = await browser.go(at('/sign-in/demo'), { key });
    expect([status, next, hasSession(browser)]).toEqual([303, at('/'), true]);
  });

  test('not without the link that the start prints, whatever says that it is a browser on this machine', async () => {
    const { accessKey } = await newUser();
    demoKey = accessKey;
    const other = new URL(demoConsoleLink(at(''), 'another key') ?? '').searchParams.get('key') ?? '';
    const browser = createBrowser();
    for (const key of ['', other, accessKey]) {
      const { text } = await browser.go(at(`/sign-in?${new URLSearchParams({ key })}`));
      expect(text).not.toContain('Open the demo');
      const { status } = await browser.go(at('/sign-in/demo'), { key });
      expect([status, hasSession(browser)]).toEqual([401, false]);
    }
  });

  test('not through a proxy, and not where there is none', async () => {
    demoKey = (await newUser()).accessKey;
    const forwarded = { 'x-forwarded-for': '203.0.113.9' };
    const browser = createBrowser();
    const link = new URL(demoConsoleLink(at(''), demoKey) ?? '');
    const fields = Object.fromEntries(link.searchParams);
    expect((await browser.go(at('/sign-in/demo'), fields, forwarded)).status).toBe(403);
    demoKey = undefined;
    expect((await browser.go(link.href)).text).not.toContain('Open the demo');
    expect((await browser.go(at('/sign-in/demo'), fields)).status).toBe(401);
    expect(hasSession(browser)).toBe(false);
  });
});
