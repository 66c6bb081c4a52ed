/** What people come for, in a real browser: with the mouse alone and with the keyboard alone, with scripts and without. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'puppeteer-core';
import { systemClock } from '../../../src/platform/clock.ts';
import { originKeyOf } from '../../../src/receipts/callback/callback-url.ts';
import { type People, startPeople } from '../../support/console/people.ts';
import { findChromium, startBrowser } from '../../support/docs/browser.ts';
import { names } from '../../support/management/named.ts';
import { addMessage } from '../../support/management/sent-message.ts';

const chromium = findChromium();
if (chromium === undefined) process.stdout.write('skipped: no Chromium on this machine (package chromium)\n');
const inBrowser = chromium === undefined ? describe.skip : describe;

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
  ['mouse', true, mouse],
  ['mouse', false, mouse],
  ['keyboard', true, keyboard],
  ['keyboard', false, keyboard],
] as const)('with the %s, scripts allowed: %s', (_name, scripts, hand) => {
  let people: People;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    let key = '';
    people = await startPeople(systemClock, { demoKey: () => key });
    key = (await people.newUser()).accessKey;
    const { knex } = people.service.management;
    await people.root('POST /channels', { name: 'Safaricom', prefixes: ['25471'], connector: 'simulator' });
    await addMessage(people.service.management, acme);
    await knex('messages').update({ state: 'AbsentSubscriber', final_at: knex.raw('service_now()') });
    const origin_key = originKeyOf('https://acme.example');
    await knex('receipts').update({ origin_key });
    await knex('receipt_origins').update({ origin_key });
    browser = await startBrowser(chromium ?? '');
    page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 900 });
    await page.setJavaScriptEnabled(scripts);
    await page.goto(people.at('/'));
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
  const knex = () => people.service.management.knex;

  test('what happened to this number, and its receipt is posted again', async () => {
    await hand.write(page, '#find', phone);
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    expect(page.url()).not.toContain('254');
    expect(await page.title()).not.toContain('254');
    await says('Safaricom could not reach the phone');
    await go('form[action$="/resend"] button');
    await says('The receipt is being posted again.');
    await knex()('receipts').update({ state: 'Exhausted' });
  });

  test('an endpoint failed: why, counted, posted again exactly, released', async () => {
    await page.goto(people.at('/'));
    await go('.needs a[href*="/endpoints/"]');
    await says('31 attempts failed in a row');
    await go('a[href$="/replay"]');
    // Replays begin a day back; the receipt is newer.
    await go('button[value="count"]');
    await says('1 receipt of team acme to https://acme.example.');
    await go('#count button');
    await says('1 receipt is being posted again.');
    expect(await knex()('receipts').where({ state: 'Waiting' })).toHaveLength(1);
    await go('.trail li:nth-child(2) a');
    await go('form[action$="/release"] button');
    await says('Released.');
    await says('Works');
  });

  test('a connector is down: since when, what waits, paused with a reason, tested, resumed', async () => {
    await page.goto(people.at('/'));
    await go('.needs a[href*="/connectors/"]');
    await says('No worker runs it');
    await go('a[href$="/pause"]');
    await hand.write(page, '[name="reason"]', 'Maintenance');
    await go('main form button[type="submit"].main');
    await says('It is paused');
    await says('“Maintenance”');
    await go('a[href$="/test"]');
    await go('main form button[type="submit"].main');
    await says('The network would take');
    await page.goto(people.at('/connectors/simulator'));
    await go('a[href$="/resume"]');
    await go('main form button[type="submit"].main');
    expect(await page.$eval('main', (main) => main.textContent)).not.toContain('It is paused');
  });
});
