/** Pages in a real browser: accessible in every view, complete by themselves, small, and newer without a disturbance. */
import { mkdirSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { demoConsoleLink } from '../../../src/console/session/demo-key.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { isLarge } from '../../../src/platform/sized-testing.ts';
import type { Browser, Page } from '../../../tools/puppeteer.ts';
import { type People, startPeople } from '../../support/console/people.ts';
import { describeInBrowser, openTab, startBrowser, type Tab, type View } from '../../support/docs/browser.ts';
import { names } from '../../support/management/named.ts';
import { addMessage } from '../../support/management/sent-message.ts';

const inBrowser = describeInBrowser();

const wide: View = { width: 1280, height: 900, dark: false };
const narrow: View = { width: 320, height: 700, dark: true };
const views: View[] = isLarge
  ? [320, 390, 1280, 1920].flatMap((width) => [true, false].map((dark) => ({ width, height: 900, dark })))
  : [wide, narrow];

const axe = readFileSync(new URL('../../../tools/node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
const violations = `axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes[0].html + ' ' + nodes[0].failureSummary))`;

const acme = names('acme');
/** One page of each kind; in the large size all that these lead to. */
const pages = [
  '/',
  '/requests',
  `/requests/${acme.requestId}/${acme.messageId}`,
  '/messages',
  '/receipts',
  `/receipts/${acme.receiptId}`,
  '/endpoints',
  `/endpoints/acme/${acme.endpointKey}`,
  `/endpoints/acme/${acme.endpointKey}/replay`,
  '/clients',
  '/clients/shop',
  '/new/clients',
  '/clients/shop/edit',
  '/clients/shop/rotate',
  '/templates/sms/offer',
  '/templates/sms/offer/edit',
  '/templates/sms/offer/review',
  '/templates/chat-app/shipped',
  '/connectors/main',
  '/teams/acme',
  '/teams/acme/accounts',
  '/teams/acme/ledger',
  '/teams/acme/statement?product=Sms&verify=hashes',
  '/teams/acme/top-up',
  '/accounts',
  '/statistics',
  '/audit',
  '/quarantine',
  '/erasure',
  `/requests/${acme.requestId}`,
  '/no-such-page',
];

inBrowser('in Chromium', () => {
  let people: People;
  let browser: Browser;
  let tab: Tab;
  /** Besides the time that has really passed in the service. */
  let passedMs = 0;

  beforeAll(async () => {
    let key = '';
    const clock = { ...systemClock, elapsedMs: () => systemClock.elapsedMs() + passedMs };
    people = await startPeople(clock, { demoKey: () => key });
    key = (await people.newUser()).accessKey;
    const { root, service } = people;
    await root('POST /clients', {
      id: 'shop',
      teamId: 'acme',
      scopes: ['message.read'],
      name: '<b>Shop</b>',
    });
    await root('POST /teams/acme/top-ups', {
      product: 'Sms',
      units: 500,
      reference: 'invoice-1',
      note: 'Paid',
    });
    await root('POST /connectors', { name: 'main', kind: 'simulator' });
    await root('POST /senders', { id: 'offers', category: 'MARKETING', sender: 'OFFERS' });
    await root('POST /sms-templates', {
      id: 'offer',
      teamId: 'acme',
      content: 'This week only: {{offer}} at {{shop}}’s',
      category: 'MARKETING',
      managedServiceKey: 'offers',
      paramDefinitions: [{ name: 'offer', format: 'PlainText', required: true, maxLength: 40 }],
    });
    await root('POST /chatapp-templates', {
      id: 'shipped',
      teamId: 'acme',
      language: 'en',
      category: 'UTILITY',
      components: { header: { format: 'IMAGE' }, body: { text: 'Habari {{name}}' }, buttons: [] },
    });
    await addMessage(service.management, acme);
    const { knex } = service.management;
    await knex('messages').update({ state: 'Submitted' });
    await knex('minute_counts').insert({
      team_id: '',
      product: 'sms',
      channel: 'Safaricom',
      accepted: 51,
      delivered: 40,
      failed: 3,
      minute: knex.raw(`date_trunc('minute', service_now())`),
    });
    browser = await startBrowser();
    const page = await browser.newPage();
    await page.goto(demoConsoleLink(people.at(''), key) ?? '');
    await Promise.all([page.waitForNavigation(), page.click('form[action$="/sign-in/demo"] button')]);
    await page.close();
  });
  afterEach(() => tab?.page.close());
  afterAll(async () => {
    await browser?.close();
    await people?.service.close();
  });

  async function open(path: string, view: View = wide): Promise<Page> {
    tab = await openTab(browser, people.at(path), view);
    return tab.page;
  }

  test.each(pages)('%s, wide and narrow, light and dark', async (path) => {
    const page = await open(path);
    await page.evaluate(axe);
    await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true`);
    for (const view of views) {
      const { width, height, dark } = view;
      await page.setViewport({ width, height });
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }]);
      await keepScreenshot(path, view);
      expect({ view, found: await page.evaluate(violations) }).toEqual({ view, found: [] });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
    // The browser notes the status of a page that does not exist.
    if (path === '/no-such-page') tab.complaints.shift();
    expect(tab.complaints).toEqual([]);
    // What the browser draws its own controls with has no origin.
    const requested = tab.requested.filter((address) => !address.startsWith('data:'));
    const origins = new Set(requested.map((address) => new URL(address).origin));
    expect([...origins]).toEqual([new URL(people.at('/')).origin]);
  });

  test('the first load takes at most 60 kB', async () => {
    const page = await open(`/requests/${acme.requestId}`);
    await page.setCacheEnabled(false);
    await page.reload();
    await page.waitForSelector('#fresh');
    const sizes = `performance.getEntries().map((one) => one.transferSize ?? 0).reduce((sum, one) => sum + one, 0)`;
    expect(await page.evaluate(sizes)).toBeGreaterThan(5_000);
    expect(await page.evaluate(sizes)).toBeLessThan(60_000);
  });

  /** As if the reader had come back to the tab: the page asks at once. */
  const comeBack = (page: Page) => page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);

  test('a page makes itself newer, and keeps what its reader is at', async () => {
    const page = await open(`/requests/${acme.requestId}`);
    await page.waitForSelector('#fresh');
    await page.evaluate(`document.querySelector('.same').open = true`);
    await page.focus('#messages a');
    await people.service.management.knex('messages').update({ state: 'Held' });
    await comeBack(page);
    await page.waitForSelector('#messages ::-p-text(Waits for bundle)');
    const unchanged = page.waitForResponse((response) => response.status() === 304);
    await comeBack(page);
    await unchanged;
    expect(await page.evaluate(`document.querySelector('.same').open`)).toBe(true);
    expect(await page.evaluate(`document.activeElement.closest('#messages') !== null`)).toBe(true);
    expect(await page.evaluate(`document.querySelector('#messages').classList.contains('changed')`)).toBe(
      true,
    );
    await people.service.management.knex('messages').update({ state: 'Delivered' });
    // The page is made once in ten seconds for all who have it open.
    passedMs += 10_000;
    await comeBack(page);
    await page.waitForSelector('#messages ::-p-text(Delivered)');
    // Nothing moves any more.
    expect(await page.$('#fresh')).toBe(null);
    expect(tab.complaints).toEqual([]);
  });

  test('a page that cannot be made newer says so, and stays', async () => {
    await people.service.management.knex('messages').update({ state: 'Submitted' });
    const page = await open(`/requests/${acme.requestId}`);
    await page.waitForSelector('#fresh');
    await page.setOfflineMode(true);
    await comeBack(page);
    await page.waitForSelector('#fresh ::-p-text(Not updated since)');
    expect(await page.$('#messages')).not.toBe(null);
  });

  test('the key / leads to the search', async () => {
    const page = await open('/clients');
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.id')).toBe('find');
    await page.keyboard.type('/');
    expect(await page.$eval('#find', (field) => (field as { value: string }).value)).toBe('/');
  });

  test('a double click sends a form once, so that what is shown once is seen', async () => {
    const page = await open('/new/users');
    await page.type('main [name="id"]', 'clicked-twice');
    await page.click('main [name="role"][value="viewer"]');
    await Promise.all([page.waitForNavigation(), page.click('main form .main', { count: 2 })]);
    expect(await page.$eval('main', (main) => main.textContent)).toMatch(/clicked-twice\.[\w-]{43}/);
  });

  test('all pages are in a menu on a narrow screen, without scripts', async () => {
    const page = await open('/clients', narrow);
    await page.setJavaScriptEnabled(false);
    await page.reload();
    await page.click('.menu');
    await page.waitForSelector('nav.pages:popover-open a[href$="/audit"]', { visible: true });
  });

  /** SCREENSHOTS names a folder to keep pictures in, for people to look at. */
  async function keepScreenshot(path: string, { width, dark }: View): Promise<void> {
    const folder = process.env.SCREENSHOTS;
    if (folder === undefined) return;
    mkdirSync(folder, { recursive: true });
    const name = path.replaceAll(/[^a-z0-9-]+/g, '_');
    await tab.page.screenshot({
      path: `${folder}/console${name}-${width}${dark ? '-dark' : ''}.png`,
      fullPage: true,
    });
  }
});
