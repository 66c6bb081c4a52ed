/** Pages elsewhere that try to act for a person, and forms that are sent twice. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { systemClock } from '../../../src/platform/clock.ts';
import type { Browser } from '../../support/console/browser.ts';
import { type People, sessionCookie, startPeople } from '../../support/console/people.ts';

let people: People;
let at: People['at'];
let newUser: People['newUser'];
let exists: People['exists'];

beforeAll(async () => {
  people = await startPeople(systemClock);
  ({ at, newUser, exists } = people);
});
afterAll(() => people.service.close());

describe('nothing is read and nothing changes', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await people.signedIn();
  });

  test('when a page of another site sends a form', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    expect((await browser.go(at('/new/teams'), { id: 'foreign' }, headers)).status).toBe(403);
    expect(await exists('foreign')).toBe(false);
  });

  test('when such a page signs the person in as somebody else, or out', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    const before = browser.cookies(at('/')).get(sessionCookie);
    for (const [path, fields] of [
      ['/sign-in', { accessKey: (await newUser()).accessKey }],
      ['/sign-in/demo', {}],
      ['/sign-out', {}],
    ] as const)
      expect((await browser.go(at(path), fields, headers)).status).toBe(403);
    expect(browser.cookies(at('/')).get(sessionCookie)).toBe(before);
    expect((await browser.go(at('/me'))).status).toBe(200);
  });

  test('through a page in a frame, or by reading responses: no other origin may', async () => {
    for (const path of ['/sign-in', '/teams', '/assets/console.css']) {
      const { headers } = await browser.go(at(path), undefined, { origin: 'https://evil.example' });
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    }
    const { headers } = await browser.go(at('/teams'));
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.*frame-ancestors 'none'/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('same-origin');
  });
});

test('a form that is sent twice at once acts once, whichever processes get it', async () => {
  const browser = await people.signedIn();
  const fields = { id: 'clicked-twice', role: 'viewer' };
  const answers = await Promise.all([
    browser.go(at('/new/users'), fields),
    browser.go(at('/new/users'), fields),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
});

test('a page with a new secret that is loaded again makes no other', async () => {
  const browser = await people.signedIn();
  await people.root('POST /clients', { id: 'shop', teamId: 'acme' });
  const path = at('/clients/shop/rotate');
  const [, etag = ''] = /name="etag" value="([^"]*)"/.exec((await browser.go(path)).text) ?? [];
  const fields = { etag: etag.replaceAll('&quot;', '"'), secret: 'client' };
  expect((await browser.go(path, fields)).text).toContain('This is shown only now');
  const again = await browser.go(path, fields);
  expect([again.status, again.text.includes('shown only now')]).toEqual([412, false]);
});
