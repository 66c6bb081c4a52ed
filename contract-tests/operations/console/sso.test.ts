/** Sign-in with an independent OpenID Connect provider, and responses of a provider that are not for this browser. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createUser } from '../../../src/manage/access/users.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { type Browser, createBrowser, type Shown } from '../../support/console/browser.ts';
import { type SsoProvider, startSsoProvider } from '../../support/console/sso-provider.ts';
import { type ManagementService, startManagementService } from '../../support/management/service.ts';

const sessionCookie = '__Host-tarishi-console';
const attemptCookie = '__Host-tarishi-console-sso';

let provider: SsoProvider;
let service: ManagementService;
let at: (path: string) => string;

beforeAll(async () => {
  provider = await startSsoProvider();
  service = await startManagementService(systemClock, {
    settings: (url) => ({
      CONSOLE_URL: url,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: 'tarishi',
      OIDC_CLIENT_SECRET: provider.clientSecret,
    }),
  });
  const { origin } = new URL(service.url);
  provider.register(origin);
  at = (path) => `${origin}/console${path}`;
  for (const [id, ssoName] of [
    ['amina', 'amina@example.com'],
    ['unverified', 'unverified@example.com'],
    ['gone', 'gone@example.com'],
  ] as const)
    await createUser(service.management, { id, teamId: null, role: 'viewer', ssoName });
  await service.management.knex('users').where({ id: 'gone' }).update({ enabled: false });
});
afterAll(async () => {
  await service.close();
  await provider.stop();
});

/** As far as the provider's response, which the browser has not followed yet. */
async function atProvider(browser: Browser, person: string): Promise<string> {
  const { next = '' } = await browser.go(at('/sign-in/sso?target=/teams'));
  return provider.signIn(browser, next, person);
}

/** As browsers follow a redirect from another site. */
const follow = (browser: Browser, url: string): Promise<Shown> =>
  browser.go(url, undefined, { 'sec-fetch-site': 'cross-site' });

const signedIn = (browser: Browser) => browser.cookies(at('/')).has(sessionCookie);

test('leads to the provider and back, to the page that was asked for', async () => {
  const browser = createBrowser();
  const page = await browser.go(at('/teams'));
  expect(page.text).toContain('href="/console/sign-in/sso?target=%2Fteams"');
  const response = await atProvider(browser, 'amina');
  const done = await follow(browser, response);
  expect(done).toMatchObject({ status: 200, next: undefined });
  expect(done.text).toContain('href="/console/teams"');
  expect(done.headers.getSetCookie()).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /^__Host-tarishi-console=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; Secure; SameSite=Strict$/,
      ),
      expect.stringMatching(/^__Host-tarishi-console-sso=; Path=\/; Max-Age=0;/),
    ]),
  );
  expect((await browser.go(at('/teams'))).status).toBe(200);
  const { body } = await (await service.user('reader', { role: 'owner' }))('GET /audit?noun=user&id=amina');
  expect(body.items[0]).toMatchObject({ action: 'sign in', after: { method: 'OpenID Connect' } });
});

test('ends the former session of the browser, whose cookie is not sent on the way back', async () => {
  const browser = createBrowser();
  const sessions = () =>
    service.management.knex('console_sessions').where({ user_id: 'amina' }).pluck('id_hash');
  await follow(browser, await atProvider(browser, 'amina'));
  const before = await sessions();
  await follow(browser, await atProvider(browser, 'amina'));
  const after = await sessions();
  expect([after.length, after.filter((one) => !before.includes(one)).length]).toEqual([before.length, 1]);
});

test('asks with PKCE, state and nonce; the attempt is kept in a Lax cookie', async () => {
  const browser = createBrowser();
  const { next = '', headers } = await browser.go(at('/sign-in/sso'));
  expect(Object.fromEntries(new URL(next).searchParams)).toMatchObject({
    response_type: 'code',
    scope: 'openid email',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
  });
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-tarishi-console-sso=.*; HttpOnly; Secure; SameSite=Lax$/),
  ]);
});

test('signing out offers to sign out of the provider, too', async () => {
  const browser = createBrowser();
  await follow(browser, await atProvider(browser, 'amina'));
  const { text: page } = await browser.go(at('/sign-out'), {});
  expect(signedIn(browser)).toBe(false);
  expect(page).toContain(`href="${provider.issuer}/session/end?`);
  expect((await browser.go(at('/teams'))).status).toBe(401);
});

describe('lets nobody in', () => {
  test.each([
    ['whom no user has as ssoName', 'stranger'],
    ['whose address is not verified', 'unverified'],
    ['whose user is disabled', 'gone'],
    ['whose name no database holds', 'a%00b'],
  ])('%s', async (_what, person) => {
    const browser = createBrowser();
    const shown = await follow(browser, await atProvider(browser, person));
    expect(shown.status).toBe(403);
    expect(shown.text).toContain('Nobody here has your account. Ask an owner.');
    expect(signedIn(browser)).toBe(false);
  });

  test('with a response that another browser asked for', async () => {
    const attacker = createBrowser();
    const response = await atProvider(attacker, 'amina');
    const victim = createBrowser();
    expect((await follow(victim, response)).status).toBe(401);
    await victim.go(at('/sign-in/sso'));
    expect((await follow(victim, response)).status).toBe(401);
    expect(signedIn(victim)).toBe(false);
  });

  test('twice with one response', async () => {
    const browser = createBrowser();
    const response = await atProvider(browser, 'amina');
    const attempt = browser.cookies(at('/')).get(attemptCookie) ?? '';
    expect((await follow(browser, response)).status).toBe(200);
    browser.cookies(at('/')).delete(sessionCookie);
    expect((await follow(browser, response)).status).toBe(401);
    browser.cookies(at('/')).set(attemptCookie, attempt);
    expect((await follow(browser, response)).status).toBe(401);
    expect(signedIn(browser)).toBe(false);
  });

  test.each([
    ['another state', 0],
    ['another nonce', 1],
    ['another code verifier', 2],
  ])('with %s', async (_what, part) => {
    const browser = createBrowser();
    const response = await atProvider(browser, 'amina');
    const jar = browser.cookies(at('/'));
    const parts = (jar.get(attemptCookie) ?? '').split('.');
    parts[part] = 'x'.repeat(43);
    jar.set(attemptCookie, parts.join('.'));
    expect((await follow(browser, response)).status).toBe(401);
    expect(signedIn(browser)).toBe(false);
  });

  test.each([
    ['the refusal of the person', 'error=access_denied'],
    ['nothing', ''],
    ['a code of nobody', 'code=x'],
  ])('with %s', async (_what, query) => {
    const browser = createBrowser();
    const { next = '' } = await browser.go(at('/sign-in/sso'));
    const state = new URL(next).searchParams.get('state');
    const shown = await follow(browser, at(`/sign-in/sso/done?state=${state}&${query}`));
    expect(shown.status).toBe(401);
    expect(signedIn(browser)).toBe(false);
  });

  test('and leads to no other site afterwards', async () => {
    const browser = createBrowser();
    for (const target of [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      '/../../x',
      '/%0d%0aX: y',
    ]) {
      const { next = '' } = await browser.go(at(`/sign-in/sso?target=${encodeURIComponent(target)}`));
      const { text } = await follow(browser, await provider.signIn(browser, next, 'amina'));
      const [, href = ''] = /class="button main" href="([^"]*)"/.exec(text) ?? [];
      expect(new URL(href, at('/')).href.startsWith(at('/').slice(0, -1))).toBe(true);
    }
  });
});

test('a provider that does not respond is named, and asked again the next time', async () => {
  const other = await startSsoProvider();
  const lone = await startManagementService(systemClock, {
    settings: (url) => ({ CONSOLE_URL: url, OIDC_ISSUER: other.issuer, OIDC_CLIENT_ID: 'tarishi' }),
  });
  const { origin } = new URL(lone.url);
  const begin = () => createBrowser().go(`${origin}/console/sign-in/sso`);
  await other.stop();
  expect(await begin()).toMatchObject({ status: 503, text: expect.stringContaining('does not respond') });
  await lone.close();
});
