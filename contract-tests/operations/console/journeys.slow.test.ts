/** What people come for, in a real browser: with the mouse alone and no scripts, and with the keyboard alone beside scripts. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { demoConsoleLink } from '../../../src/console/session/demo-key.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { originKeyOf } from '../../../src/receipts/callback/callback-url.ts';
import type { Browser, Page } from '../../../tools/puppeteer.ts';
import { type People, startPeople } from '../../support/console/people.ts';
import { describeInBrowser, startBrowser } from '../../support/docs/browser.ts';
import { names } from '../../support/management/named.ts';
import { addMessage } from '../../support/management/sent-message.ts';

const inBrowser = describeInBrowser();

const acme = names('acme');
const phone = '+254711000000';

/** How a person works: the mouse clicks; the keyboard goes from one control to the next, and presses Enter. */
interface Hand {
  press: (page: Page, selector: string) => Promise<void>;
  write: (page: Page, selector: string, text: string) => Promise<void>;
}

const mouse: Hand = {
  press: (page, selector) => page.click(selector),
  write: async (page, selector, text) => {
    await page.click(selector);
    await page.keyboard.type(text);
  },
};

const mostSteps = 80;

async function tabTo(page: Page, selector: string): Promise<void> {
  for (let step = 0; step < mostSteps; step += 1) {
    await page.keyboard.press('Tab');
    if (await page.$eval(selector, (element) => element === element.ownerDocument.activeElement)) return;
  }
  throw new Error(`the keyboard does not reach ${selector}`);
}

const keyboard: Hand = {
  press: async (page, selector) => {
    await tabTo(page, selector);
    await page.keyboard.press('Enter');
  },
  write: async (page, selector, text) => {
    await tabTo(page, selector);
    await page.keyboard.type(text);
  },
};

inBrowser.each([
  ['mouse', false, mouse],
  ['keyboard', true, keyboard],
] as const)('with the %s, scripts allowed: %s', (_name, scripts, hand) => {
  let people: People;
  let browser: Browser;
  let page: Page;
  let key = '';

  beforeAll(async () => {
    people = await startPeople(systemClock, { demoKey: () => key });
    key = (await people.newUser()).accessKey;
    const { knex } = people.service.management;
    await people.root('POST /channels', { name: 'Safaricom', prefixes: ['25471'], connector: 'simulator' });
    await addMessage(people.service.management, acme);
    await knex('messages').update({ state: 'AbsentSubscriber', final_at: knex.raw('service_now()') });
    const origin_key = originKeyOf('https://acme.example');
    await knex('receipts').update({ origin_key });
    await knex('receipt_origins').update({ origin_key });
    browser = await startBrowser();
    page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 900 });
    await page.setJavaScriptEnabled(scripts);
    await page.goto(demoConsoleLink(people.at(''), key) ?? '');
    await Promise.all([page.waitForNavigation(), page.click('form[action$="/sign-in/demo"] button')]);
  });
  afterAll(async () => {
    await browser?.close();
    await people?.service.close();
  });

  const go = (selector: string) =>
    Promise.all([page.waitForNavigation(), hand.press(page, selector)]).then(() => undefined);
  const says = async (words: string) =>
    expect(await page.$eval('main', (main) => main.textContent)).toContain(words);

  test('what happened to this number, and its receipt is posted again', async () => {
    await hand.write(page, '#find', phone);
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    // Of a port or a random id, three digits may be the same.
    for (const shown of [page.url(), await page.title()])
      expect(shown.replaceAll(' ', '')).not.toContain(phone.slice(-9));
    await says('Safaricom could not reach the phone');
    await go('form[action$="/resend"] button');
    await says('It is posted again when its endpoint is tried.');
  });

  test('a template that was changed meanwhile is reviewed by its difference, commented and approved', async () => {
    const { root } = people;
    const content = 'This week only: {{offer}}';
    const paramDefinitions = [{ name: 'offer', format: 'PlainText', required: true, maxLength: 40 }];
    await root('POST /senders', { id: 'offers', category: 'MARKETING', sender: 'OFFERS' });
    const template = { teamId: 'acme', category: 'MARKETING', managedServiceKey: 'offers', paramDefinitions };
    await root('POST /sms-templates', { id: 'offer', ...template, content });
    await page.goto(people.at('/templates/sms/offer'));
    await go('main a[href$="/review"]');
    const etag = (await root('GET /sms-templates/offer')).headers.get('etag') ?? '';
    await root('PATCH /sms-templates/offer', { content: `${content} today` }, { 'if-match': etag });
    await hand.write(page, '[name="comment"]', 'Short and clear');
    await go('button[value="APPROVED"]');
    await says('Nothing was decided. Your comment is kept.');
    await says('This week only: {{offer}} today');
    expect(await page.$eval('[name="comment"]', (field) => (field as { value: string }).value)).toBe(
      'Short and clear',
    );
    await go('button[value="APPROVED"]');
    expect((await root('GET /sms-templates/offer')).body).toMatchObject({ approvalStatus: 'APPROVED' });
  });
});
