/** Opens pages in a headless Chromium and records their requests and the browser's complaints. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe } from '@jest/globals';
import { type Browser, launch, type Page } from '../../../tools/puppeteer.ts';

export interface Tab {
  page: Page;
  /** Addresses of everything the page requested. */
  requested: string[];
  /** Errors and warnings of the console, uncaught exceptions, failed loads, breaches of the page's policy. */
  complaints: string[];
}

export interface View {
  width: number;
  height: number;
  dark: boolean;
}

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The path of an installed Chromium, or undefined. */
function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
}

const chromium = findChromium();

/** `describe`; without Chromium `describe.skip`, after printing why. */
export function describeInBrowser(): typeof describe | typeof describe.skip {
  if (chromium !== undefined) return describe;
  process.stdout.write('skipped: no Chromium on this machine (package chromium)\n');
  return describe.skip;
}

export function startBrowser(executablePath = chromium ?? ''): Promise<Browser> {
  return launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars'],
  });
}

/** Until the page has loaded and its scripts have run. */
export async function openTab(browser: Browser, url: string, view: View): Promise<Tab> {
  const page = await browser.newPage();
  const tab: Tab = { page, requested: [], complaints: [] };
  page.on('request', (request) => tab.requested.push(request.url()));
  page.on('requestfailed', (request) =>
    tab.complaints.push(`not loaded: ${request.url()} ${request.failure()?.errorText}`),
  );
  page.on('pageerror', (error) => tab.complaints.push(`exception: ${error}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warn')
      tab.complaints.push(`${message.type()}: ${message.text()}`);
  });
  // Breaches of the policy are reported even where the script that caused them catches the exception.
  const session = await page.createCDPSession();
  await session.send('Audits.enable');
  session.on('Audits.issueAdded', ({ issue }) => {
    if (issue.code === 'ContentSecurityPolicyIssue')
      tab.complaints.push(JSON.stringify(issue.details.contentSecurityPolicyIssueDetails));
  });
  const { width, height, dark } = view;
  await page.setViewport({ width, height, isMobile: width < 600, hasTouch: width < 600 });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }]);
  await page.goto(url);
  return tab;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
