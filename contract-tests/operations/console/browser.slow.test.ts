/** Sign-in in a real browser, which keeps Secure cookies of this machine, and pages elsewhere that try to act for a person. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { demoConsoleLink } from '../../../src/console/session/demo-key.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import type { Browser, Page } from '../../../tools/puppeteer.ts';
import { type People, startPeople } from '../../support/console/people.ts';
import { type SsoProvider, startSsoProvider } from '../../support/console/sso-provider.ts';
import { findChromium, startBrowser } from '../../support/docs/browser.ts';

const chromium = findChromium();
if (chromium === undefined) process.stdout.write('skipped: no Chromium on this machine (package chromium)\n');
const inBrowser = chromium === undefined ? describe.skip : describe;

inBrowser('in Chromium', () => {
  let people: People;
  let provider: SsoProvider;
  let browser: Browser;
  let demoKey: string;
  /** Of another origin; each path is a page that a test has written. */
  let elsewhere: { origin: string; pages: Map<string, string>; server: Server };

  beforeAll(async () => {
    provider = await startSsoProvider();
    people = await startPeople(systemClock, {
      demoKey: () => demoKey,
      settings: (url) => ({
        CONSOLE_URL: url,
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: 'tarishi',
        OIDC_CLIENT_SECRET: provider.clientSecret,
      }),
    });
    provider.register(new URL(people.at('/')).origin);
    const { id, accessKey } = await people.newUser();
    await people.service.management.knex('users').where({ id }).update({ sso_name: 'amina@example.com' });
    demoKey = accessKey;
    const pages = new Map<string, string>();
    const server = createServer((request, response) => {
      response.setHeader('content-type', 'text/html').end(pages.get(request.url ?? '') ?? '');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    elsewhere = { origin: `http://localhost:${(server.address() as AddressInfo).port}`, pages, server };
    browser = await startBrowser(chromium ?? '');
  });
  afterAll(async () => {
    await browser?.close();
    elsewhere?.server.closeAllConnections();
    elsewhere?.server.close();
    await people?.service.close();
    await provider?.stop();
  });

  /** With cookies of its own. */
  async function open(path: string): Promise<Page> {
    const page = await (await browser.createBrowserContext()).newPage();
    await page.goto(people.at(path));
    return page;
  }

  /** The path of the link that the start prints, to a page. */
  const demoLink = (target: string) =>
    `${demoConsoleLink('http://localhost', demoKey)?.slice(16)}&target=${target}`;

  async function pressed(page: Page, selector: string): Promise<void> {
    await Promise.all([page.waitForNavigation(), page.click(selector)]);
  }

  const heading = (page: Page) => page.$eval('h1', (element) => element.textContent);

  test('an access key is typed and sent with the keyboard alone', async () => {
    const page = await open('/me');
    await page.focus('#access-key');
    await page.keyboard.type(demoKey);
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    expect(page.url()).toBe(people.at('/me'));
    await pressed(page, 'form[action$="/sign-out"] button');
    expect(await heading(page)).toBe('You are signed out');
    await page.goto(people.at('/me'));
    expect(await heading(page)).toBe('Tarishi console');
    await page.browserContext().close();
  });

  test('the way over the provider keeps the strict cookie, and signing out leads there', async () => {
    const page = await open('/me');
    await pressed(page, 'a[href*="/sign-in/sso"]');
    expect(page.url()).toMatch(provider.issuer);
    await page.goto(`${page.url()}?person=amina`);
    expect(page.url()).toMatch(/\/console\/sign-in\/sso\/done\?code=/);
    await pressed(page, 'main a.button');
    expect(page.url()).toBe(people.at('/me'));
    await pressed(page, 'form[action$="/sign-out"] button');
    expect(await page.$eval('a[href*="/session/end"]', (link) => link.textContent)).toBe(
      'Sign out there, too',
    );
    await page.browserContext().close();
  });

  test('a page of another origin posts, frames and reads in vain', async () => {
    const page = await open(demoLink('/new/teams'));
    await pressed(page, 'form[action$="/sign-in/demo"] button');
    elsewhere.pages.set(
      '/post',
      `<form method="post" action="${people.at('/new/teams')}"><input name="id" value="forged"></form>`,
    );
    await page.goto(`${elsewhere.origin}/post`);
    const [response] = await Promise.all([
      page.waitForNavigation(),
      page.$eval('form', (form) => (form as { submit: () => void }).submit()),
    ]);
    // The strict cookie stays behind, and the form is refused before anybody looks for it.
    expect(response?.status()).toBe(403);
    expect(await people.exists('forged')).toBe(false);

    elsewhere.pages.set('/frame', `<iframe src="${people.at('/teams')}"></iframe>`);
    await page.goto(`${elsewhere.origin}/frame`);
    const frame = page.frames().find((one) => one.url() !== page.url());
    expect(frame?.url()).toMatch(/^chrome-error:/);
    const read = await page.evaluate(
      (url) =>
        fetch(url, { credentials: 'include' }).then(
          (answer) => answer.text(),
          () => 'refused',
        ),
      people.at('/teams'),
    );
    expect(read).toBe('refused');
    await page.browserContext().close();
  });
});
