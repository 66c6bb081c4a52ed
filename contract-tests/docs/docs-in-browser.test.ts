/** The documentation in a real browser: nothing from elsewhere, no complaint, and a message sent from the page. */
import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'puppeteer-core';
import { findChromium, openTab, startBrowser, type Tab, type View } from '../support/docs/browser.ts';
import { type Service, startService } from '../support/service/service.ts';

const chromium = findChromium();
if (chromium === undefined) process.stdout.write('skipped: no Chromium on this machine (package chromium)\n');
const inBrowser = chromium === undefined ? describe.skip : describe;

const wide: View = { width: 1280, height: 900, dark: false };
const views: View[] = [wide, { ...wide, dark: true }, { width: 390, height: 844, dark: false }];

const send = '::-p-xpath(//*[@role="dialog"]//button[contains(., "Send post request")])';

inBrowser('in Chromium', () => {
  let service: Service;
  let browser: Browser;

  beforeAll(async () => {
    service = await startService();
  });
  beforeAll(async () => {
    browser = await startBrowser(chromium ?? '');
  });
  afterAll(async () => {
    await browser?.close();
    await service?.dispose();
  });

  test.each(views)('the reference at $width px, dark: $dark', async (view) => {
    const tab = await openTab(browser, `${service.demo.baseUrl}/docs`, view);
    await tab.page.waitForSelector('::-p-text(Send an SMS to one or more phone numbers)');
    await keepScreenshot(tab, 'reference', view);
    expect(await tab.page.evaluate(visibleMains)).toBe(1);
    expectSelfContained(tab);
    expect(await tab.page.evaluate('document.documentElement.scrollWidth')).toBe(view.width);
    await tab.page.close();
  });

  describe.each([
    '/docs/guides',
    '/docs/guides/receipts',
    '/docs/errors',
    '/docs/errors/invalid-parameters',
  ])('%s', (path) => {
    test.each(views)('at $width px, dark: $dark', async (view) => {
      const tab = await openTab(browser, service.demo.baseUrl + path, view);
      await keepScreenshot(tab, path.replaceAll('/', '_'), view);
      expectSelfContained(tab);
      expect(await tab.page.evaluate('document.documentElement.scrollWidth')).toBe(view.width);
      expect(await tab.page.evaluate(faintTexts)).toEqual([]);
      await tab.page.close();
    });
  });

  test('a message is sent from the reference', async () => {
    const { baseUrl, clientId, clientSecret, smsServiceId } = service.demo;
    const tab = await openTab(browser, `${baseUrl}/docs`, wide);
    const { page } = tab;
    await page.click('#reference .cm-content:has([aria-label="placeholder 12345"])');
    await page.keyboard.type(clientId);
    await page.click('#reference input[placeholder="XYZ123"]');
    await page.keyboard.type(clientSecret);
    await page.click('::-p-text(Authorize)');
    await page.waitForSelector('::-p-text(Access Token)');
    await page.click('::-p-text(Test Request)');
    await page.waitForSelector(send, { visible: true });
    await page.click(send);
    await page.waitForSelector('[role=dialog] ::-p-text(200 OK)');
    await page.waitForSelector('[role=dialog] ::-p-text(SmsResponse)');
    await keepScreenshot(tab, 'sent', wide);
    expectSelfContained(tab);
    expect(tab.requested).toContain(`${baseUrl}/message/${smsServiceId}`);
  });

  /** It loaded only our own files, and the browser reported no problem. */
  function expectSelfContained({ requested, complaints }: Tab): void {
    const ours = new URL(service.demo.baseUrl).origin;
    const foreign = requested.filter((address) => !/^(data|blob):/.test(address)).map(originOf);
    expect({ origins: [...new Set(foreign)], complaints }).toEqual({ origins: [ours], complaints: [] });
  }
});

/** In the page: how many main landmarks can be reached. */
const visibleMains = `[...document.querySelectorAll('main')].filter((one) => one.checkVisibility()).length`;

/** In the page: texts whose contrast is below 4.5 to 1 (WCAG 2.2, 1.4.3), as their colours. */
const faintTexts = `(() => {
  const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const luminance = (colour) => {
    const [r, g, b] = channels(colour).map((one) => one / 255).map((one) => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    const colour = getComputedStyle(element).backgroundColor;
    return channels(colour)[3] === 0 && element.parentElement ? ground(element.parentElement) : colour;
  };
  const pairs = [...document.querySelectorAll('body *')]
    .filter((one) => one.checkVisibility() && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
    .map((one) => [getComputedStyle(one).color, ground(one)]);
  const contrast = ([a, b]) => {
    const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (light + 0.05) / (dark + 0.05);
  };
  return [...new Set(pairs.filter((pair) => contrast(pair) < 4.5).map(String))];
})()`;

function originOf(address: string): string {
  return new URL(address).origin;
}

/** SCREENSHOTS names a folder to keep pictures in, for people to look at. */
async function keepScreenshot({ page }: Tab, name: string, { width, dark }: View): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}-${width}${dark ? '-dark' : ''}.png` });
}
