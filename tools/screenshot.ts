/**
 * Takes the picture of the console that the README shows: `node bin/node.js tools/screenshot.ts` starts a demo of its own, sends bursts
 * for some minutes, and writes docs/assets/console.png. CHROMIUM is the path of a Chromium, if it is not /usr/bin/chromium.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { launch } from 'puppeteer-core';
import { freePort } from '../src/platform/free-port-testing.ts';

const picture = 'docs/assets/console.png';
const minutes = 5;

/** Fails with a sentence of its own where there is none. */
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const DATA_DIR = await mkdtemp(join(tmpdir(), 'tarishi-screenshot-'));
const [PORT, MANAGEMENT_PORT] = [String(await freePort()), String(await freePort())];
const environment = { ...process.env, DATA_DIR, PORT, MANAGEMENT_PORT };
const browser = await launch({ executablePath, args: ['--no-sandbox', '--hide-scrollbars'] });
const service = spawn(process.execPath, ['src/main.ts', 'start'], { env: environment, stdio: 'ignore' });
try {
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 1000 });
  const home = `${new URL(await managementUrl()).origin}/console/`;
  const click = (selector: string) => Promise.all([page.waitForNavigation(), page.click(selector)]);
  await page.goto(home);
  await click('form[action$="/sign-in/demo"] button');
  for (let minute = 0; minute < minutes; minute += 1) {
    for (let burst = 0; burst <= minute % 3; burst += 1) {
      await page.goto(home);
      await click('form[action$="/burst"] button');
    }
    await delay(60_000);
  }
  await page.goto(home);
  await page.screenshot({ path: picture });
  process.stdout.write(`${picture} is new\n`);
} finally {
  await browser.close();
  const ended = new Promise((resolve) => service.once('exit', resolve));
  service.kill();
  await ended;
  await rm(DATA_DIR, { recursive: true });
}

/** Of the demo, once it has started. */
async function managementUrl(): Promise<string> {
  for (let second = 0; second < 90; second += 1) {
    await delay(1_000);
    const file = await readFile(join(DATA_DIR, 'demo.json'), 'utf8').catch(() => undefined);
    if (file !== undefined) return JSON.parse(file).managementUrl;
  }
  throw new Error('the demo did not start');
}
