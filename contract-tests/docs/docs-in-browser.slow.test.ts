/** The documentation in a real browser: nothing from elsewhere, no complaint, and everything that scripts do. */
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { loadDocument } from '../../src/contract/document.ts';
import { sourcesOf } from '../../src/docs/site/site.ts';
import { demoDocsLink } from '../../src/http/routes/demo-visitor.ts';
import { isLarge } from '../../src/platform/sized-testing.ts';
import type { Browser, Page } from '../../tools/puppeteer.ts';
import { describeInBrowser, openTab, startBrowser, type Tab, type View } from '../support/docs/browser.ts';
import { type SharedService, sharedService } from '../support/shared/service.ts';

const inBrowser = describeInBrowser();

const wide: View = { width: 1280, height: 900, dark: false };
const narrow: View = { width: 390, height: 844, dark: false };
/** Both widths and both colours: colours do not depend on the width, nor the layout on the colours. */
const views: View[] = [wide, { ...narrow, dark: true }];

/** One page of each kind. */
const kinds = [
  '',
  'guides/receipts',
  'settings',
  'webhook-tester',
  'errors/invalid-parameters',
  'reference/sendSms',
  'reference/issueToken',
  'management/updateConnector',
  'no/such-page',
];
const site = { document: loadDocument().published, basePath: '', publicUrl: 'http://127.0.0.1:3000' };
const everyPage = sourcesOf(site).map(({ path }) => path.replace(/^\/docs\/?/, ''));
const pages = isLarge ? [...new Set([...kinds, ...everyPage])] : kinds;

/** Of 1280 by 800 pixels. */
const longestScreens = 12;

const axe = readFileSync(new URL('../../tools/node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
/** In the page: what breaks a rule of axe, with the first place of each. */
const violations = `axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes[0].html + ' ' + nodes[0].failureSummary))`;

inBrowser('in Chromium', () => {
  let service: SharedService;
  let browser: Browser;
  let tab: Tab;

  beforeAll(async () => {
    service = sharedService();
    browser = await startBrowser();
    const permissions = ['clipboard-read', 'clipboard-sanitized-write'] as const;
    await browser.defaultBrowserContext().overridePermissions(service.demo.baseUrl, [...permissions]);
    const page = await browser.newPage();
    await page.goto(demoDocsLink(service.demo.baseUrl, service.demo) ?? '');
    expect(page.url()).toBe(`${service.demo.baseUrl}/docs`);
    await page.close();
  });
  afterEach(() => tab?.page.close());
  afterAll(() => browser?.close());

  /** Waits until its scripts have run. */
  async function open(path: string, view: View = wide): Promise<Page> {
    tab = await openTab(browser, service.demo.baseUrl + path, view);
    return tab.page;
  }

  test.each(pages)('/docs/%s, wide and narrow, light and dark', async (name) => {
    const page = await open(`/docs/${name}`.replace(/\/$/, ''));
    await page.evaluate(axe);
    for (const view of views) {
      await page.setViewport({ width: view.width, height: view.height });
      const scheme = view.dark ? 'dark' : 'light';
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      expect({ view, found: await page.evaluate(violations) }).toEqual({ view, found: [] });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(view.width);
    }
    // The browser notes the status of a page that does not exist.
    if (name === 'no/such-page') tab.complaints.shift();
    expectSelfContained();
  });

  test(`no page is longer than ${longestScreens} screens`, async () => {
    const page = await open('/docs', { width: 1280, height: 800, dark: false });
    const all = await Promise.all(
      everyPage.map(async (name) => {
        const url = `${service.demo.baseUrl}/docs/${name}`.replace(/\/$/, '');
        return { url, size: (await (await fetch(url)).text()).length };
      }),
    );
    expect(all.length).toBeGreaterThan(100);
    const screens = new Map<string, number>();
    // What is longest in a browser is among those with the most to show.
    for (const { url } of all.sort((a, b) => b.size - a.size).slice(0, 30)) {
      await page.goto(url);
      screens.set(url, Number(await page.evaluate('document.documentElement.scrollHeight')) / 800);
    }
    expect([...screens].filter(([, height]) => height > longestScreens)).toEqual([]);
  });

  test('the first page is less than 100 kB, without the search and its index', async () => {
    const page = await open('/docs');
    const sizes = `performance.getEntries().map((one) => one.transferSize ?? 0).reduce((sum, one) => sum + one, 0)`;
    expect(await page.evaluate(sizes)).toBeGreaterThan(5_000);
    expect(await page.evaluate(sizes)).toBeLessThan(100_000);
    expect(tab.requested.filter((address) => address.includes('search'))).toEqual([]);
  });

  describe('the search', () => {
    test.each(views)('at $width px, dark: $dark', async (view) => {
      const page = await open('/docs/guides/limits', view);
      await page.click('header [data-search]');
      await page.waitForSelector('.search-dialog[open]');
      await page.keyboard.type('Invalid phone numbers');
      await page.waitForSelector('[role=option][aria-selected=true] ::-p-text(Invalid phone numbers)');
      await page.evaluate(axe);
      expect(await page.evaluate(violations)).toEqual([]);
      expectSelfContained();
    });

    test('is opened, used and closed by the keyboard', async () => {
      const page = await open('/docs');
      await page.keyboard.press('/');
      await page.waitForSelector('.search-dialog[open]');
      await page.keyboard.press('Escape');
      await page.waitForSelector('.search-dialog:not([open])');
      await page.keyboard.down('Control');
      await page.keyboard.press('k');
      await page.keyboard.up('Control');
      await page.waitForSelector('.search-dialog[open]');
      await page.keyboard.type('rate limit');
      await page.waitForSelector('#search-result-1');
      const active = `document.querySelector('[role=combobox]').getAttribute('aria-activedescendant')`;
      expect(await page.evaluate(active)).toBe('search-result-0');
      await page.keyboard.press('ArrowDown');
      expect(await page.evaluate(active)).toBe('search-result-1');
      await page.keyboard.press('ArrowUp');
      await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
      expect(page.url()).toMatch(/\/docs\/guides\/limits(#rate-limit)?$/);
    });

    test('says when there is nothing', async () => {
      const page = await open('/docs');
      await page.keyboard.press('/');
      await page.waitForSelector('.search-dialog[open]');
      await page.keyboard.type('qqqqqqqqqqqq');
      await page.waitForSelector('.search-dialog [role=status] ::-p-text(Nothing found)');
    });
  });

  test('the language of samples is chosen for all of them, and for the next page', async () => {
    const page = await open('/docs');
    const shown = `[...document.querySelectorAll('.tabs [role=tabpanel]:not([hidden])')].map((one) => one.dataset.label)`;
    await page.click('[role=tab][data-language=python]');
    expect(new Set((await page.evaluate(shown)) as string[])).toEqual(new Set(['Python']));
    await page.keyboard.press('ArrowRight');
    await page.goto(`${service.demo.baseUrl}/docs/guides/templates`);
    await page.waitForSelector('[role=tab][data-language=php][aria-selected=true]');
    expect(new Set((await page.evaluate(shown)) as string[])).toEqual(new Set(['PHP']));
    expectSelfContained();
  });

  test('a sample is copied as it is shown', async () => {
    const page = await open('/docs');
    await page.click('[role=tab][data-language=sh]');
    await page.click('.tabs .copy');
    await page.waitForSelector('.copy ::-p-text(Copied)');
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toContain(`curl -s "${service.demo.baseUrl}/oauth/token"`);
    expect(copied).toContain(service.demo.clientSecret);
  });

  test('the webhook tester verifies a signed sample, and says what is wrong with an altered one', async () => {
    const page = await open('/docs/webhook-tester');
    await page.click('#tester-sample');
    await page.waitForFunction(`document.querySelector('#tester-body').value !== ''`);
    await page.click('#tester [type=submit]');
    await page.waitForSelector('.verdict.good');
    await page.type('#tester-body', ' ');
    await page.click('#tester [type=submit]');
    await page.waitForSelector('.verdict.bad ::-p-text(White space was added around the body)');
    expectSelfContained();
  });

  test('all pages are in a menu on a narrow screen', async () => {
    const page = await open('/docs', narrow);
    const menu = '.pages a[href$="docs/networks"]';
    expect(await page.evaluate(`document.querySelector('${menu}').checkVisibility()`)).toBe(false);
    await page.click('.menu');
    await page.waitForSelector(menu, { visible: true });
    await page.evaluate(axe);
    expect(await page.evaluate(violations)).toEqual([]);
  });

  describe('the form of an operation', () => {
    test.each([wide, narrow])('sends a message at $width px, authorized from the start', async (view) => {
      const page = await open('/docs/reference/sendSms', view);
      await page.click('#try [type=submit]');
      await page.waitForSelector('#try-state.good ::-p-text(200)');
      await page.waitForSelector('#try-result ::-p-text(SmsResponse)');
      await page.evaluate(axe);
      expect(await page.evaluate(violations)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(view.width);
      expectSelfContained();
      expect(tab.requested).toContain(`${service.demo.baseUrl}/message/${service.demo.smsServiceId}`);
    });

    test('links what went wrong to its page, and asks for one token only', async () => {
      const page = await open('/docs/reference/sendSms');
      await page.click('#try summary');
      await page.type('[name="X-Request-Id"]', 'from-a-form');
      await page.evaluate(`document.getElementById('try-body').value = '{}'`);
      for (const _time of ['first', 'second']) {
        await page.click('#try [type=submit]');
        await page.waitForSelector('#try-state.bad ::-p-text(400)');
        await page.evaluate(`document.getElementById('try-state').replaceChildren()`);
      }
      expect(tab.requested.filter((address) => address.endsWith('/oauth/token'))).toHaveLength(1);
      await page.click('#try [type=submit]');
      const link = await page.waitForSelector('#try-state a');
      await Promise.all([page.waitForNavigation(), link?.click()]);
      expect(await page.evaluate(`document.querySelector('main h2').textContent`)).toMatch(/^Cause/);
      expect(page.url()).toContain('/docs/errors/');
    });

    test('fills in an example, and what is in the path and the query', async () => {
      const page = await open('/docs/reference/sendSms');
      const example = `document.querySelectorAll('#try-example option')[1]`;
      const text = await page.evaluate(`${example}.value`);
      await page.select('#try-example', String(text));
      expect(await page.evaluate(`document.getElementById('try-body').value`)).toBe(text);
      await page.goto(`${service.demo.baseUrl}/docs/reference/getService`);
      await page.click('#try summary');
      await page.type('#try [name=product]', 'Sms');
      await page.click('#try [type=submit]');
      await page.waitForSelector('#try-state.good ::-p-text(200)');
      expect(tab.requested).toContain(
        `${service.demo.baseUrl}/services/${service.demo.smsServiceId}?product=Sms`,
      );
    });

    test('says that there was no response, and that the request may have been carried out', async () => {
      const page = await open('/docs/reference/sendSms');
      await page.setOfflineMode(true);
      await page.click('#try [type=submit]');
      await page.waitForSelector('#try-state.bad ::-p-text(may have been carried out)');
      await page.waitForSelector('#try [type=submit]:not(:disabled)');
    });
  });

  /** It loaded only our own files, and the browser reported no problem. */
  function expectSelfContained(): void {
    const { requested, complaints } = tab;
    const origins = requested.map(originOf);
    const ours = originOf(service.demo.baseUrl);
    expect({ origins: [...new Set(origins)], complaints }).toEqual({ origins: [ours], complaints: [] });
  }
});

function originOf(address: string): string {
  return new URL(address).origin;
}
