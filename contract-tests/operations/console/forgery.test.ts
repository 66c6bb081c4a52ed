/** Pages elsewhere that try to act for a person, and forms that are sent twice. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { systemClock } from '../../../src/platform/clock.ts';
import type { Browser } from '../../support/console/browser.ts';
import { type People, sessionCookie, startPeople, tokenOf } from '../../support/console/people.ts';

/** Stands still, so that a slow machine is allowed no more than a fast one. */
const clock = { ...systemClock, aheadMs: 0, elapsedMs: () => clock.aheadMs };
let people: People;
let at: People['at'];
let newUser: People['newUser'];
let teamForm: People['teamForm'];
let exists: People['exists'];

beforeAll(async () => {
  people = await startPeople(clock);
  ({ at, newUser, teamForm, exists } = people);
});
afterAll(() => people.service.close());

describe('nothing is read and nothing changes', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await people.signedIn();
  });

  test.each<[string, Record<string, string>]>([
    ['a page of another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['a page of another port of this machine', { 'sec-fetch-site': 'same-site' }],
    ['a frame without an origin', { 'sec-fetch-site': '', origin: 'null' }],
    ['a program that says nothing of where it comes from', { 'sec-fetch-site': '' }],
  ])('when %s sends a form, even with a token', async (what, headers) => {
    const id = what.replaceAll(' ', '-');
    const fields = await teamForm(browser, id);
    const { status } = await browser.go(at('/new/teams'), fields, headers);
    expect(status).toBe(403);
    expect(await exists(id)).toBe(false);
  });

  test('when such a page signs the person in as somebody else, or out', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    const { text } = await browser.go(at('/me'));
    const before = browser.cookies(at('/')).get(sessionCookie);
    for (const [path, fields] of [
      ['/sign-in', { accessKey: (await newUser()).accessKey }],
      ['/sign-in/demo', {}],
      ['/sign-out', { formToken: tokenOf(text) }],
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

  test('with a form token that was used, is of another session or is missing', async () => {
    const used = await teamForm(browser, 'first-team');
    await browser.go(at('/new/teams'), used);
    expect(await exists('first-team')).toBe(true);
    clock.aheadMs += 60_000;
    const other = await teamForm(await people.signedIn(), 'other-team');
    for (const [id, formToken] of [
      ['used-team', used.formToken ?? ''],
      ['other-team', other.formToken ?? ''],
      ['no-token', ''],
    ] as const) {
      const { status, text } = await browser.go(at('/new/teams'), { id, formToken });
      expect(status).toBe(409);
      expect(text).toContain(`name="form" value="id=${id}"`);
      expect(await exists(id)).toBe(false);
    }
  });
});

test('a double click acts once, and shows what the first click did', async () => {
  const browser = await people.signedIn();
  const { text } = await browser.go(at('/new/users'));
  const fields = { formToken: tokenOf(text), id: 'clicked-twice', role: 'viewer' };
  const [first, second] = await Promise.all([
    browser.go(at('/new/users'), fields),
    browser.go(at('/new/users'), fields),
  ]);
  expect(first.text).toContain('clicked-twice.');
  const keyIn = (page: string) => /clicked-twice\.[\w-]{43}/.exec(page)?.[0];
  expect(keyIn(second.text)).toBe(keyIn(first.text));
});
