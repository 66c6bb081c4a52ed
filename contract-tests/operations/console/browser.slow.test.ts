/** Sign-in in a real browser, which keeps Secure cookies of this machine. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '../../../src/platform/clock.ts';
import type { Browser, Page } from '../../../tools/puppeteer.ts';
import { type People, startPeople } from '../../support/console/people.ts';
import { type SsoProvider, startSsoProvider } from '../../support/console/sso-provider.ts';
import { describeInBrowser, startBrowser } from '../../support/docs/browser.ts';

const inBrowser = describeInBrowser();

inBrowser('in Chromium', () => {
  let people: People;
  let provider: SsoProvider;
  let browser: Browser;
  let key: string;

  beforeAll(async () => {
    provider = await startSsoProvider();
    people = await startPeople(systemClock, {
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
    key = accessKey;
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await people?.service.close();
    await provider?.stop();
  });

  /** With cookies of its own. */
  async function open(path: string): Promise<Page> {
    const page = await (await browser.createBrowserContext()).newPage();
    await page.goto(people.at(path));
    return page;
  }

  async function pressed(page: Page, selector: string): Promise<void> {
    await Promise.all([page.waitForNavigation(), page.click(selector)]);
  }

  const heading = (page: Page) => page.$eval('h1', (element) => element.textContent);

  test('an access key is typed and sent with the keyboard alone', async () => {
    const page = await open('/me');
    await page.focus('#access-key');
    await page.keyboard.type(key);
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
});
