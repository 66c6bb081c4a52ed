/**
 * Takes the picture of the console that the README shows: `node bin/node.js tools/screenshot.ts` starts a demo of its own, sends bursts
 * for some minutes, and writes docs/assets/console.png. CHROMIUM is the path of a Chromium, if it is not /usr/bin/chromium.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { launch, type Page } from 'puppeteer-core';
import { openDatabase } from '../src/platform/db/knex.ts';
import { freePort } from '../src/platform/free-port-testing.ts';

const picture = 'docs/assets/console.png';

/** Fails with a sentence of its own where there is none. */
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const DATA_DIR = await mkdtemp(join(tmpdir(), 'tarishi-screenshot-'));
const [PORT, MANAGEMENT_PORT] = [String(await freePort()), String(await freePort())];
const environment = { ...process.env, DATA_DIR, PORT, MANAGEMENT_PORT };
const home = `http://127.0.0.1:${MANAGEMENT_PORT}/console/`;
const browser = await launch({ executablePath, args: ['--no-sandbox', '--hide-scrollbars'] });
try {
  await whileRunning(async (_page, click) => {
    await click('form[action$="/burst"] button');
    // Until its receipts were refused often enough that their endpoint is parked.
    await delay(20_000);
  });
  await addMovement();
  await whileRunning(async (page, click) => {
    await click('form[action$="/burst"] button');
    await delay(15_000);
    await page.goto(home);
    await page.screenshot({ path: picture });
  });
  process.stdout.write(`${picture} is new\n`);
} finally {
  await browser.close();
  await rm(DATA_DIR, { recursive: true });
}

type Click = (selector: string) => Promise<unknown>;

/** Starts the demo, opens Today, and stops the demo afterwards. */
async function whileRunning(work: (page: Page, click: Click) => Promise<void>): Promise<void> {
  const service = spawn(process.execPath, ['src/main.ts', 'start'], { env: environment, stdio: 'ignore' });
  const page = await browser.newPage();
  try {
    await page.setViewport({ width: 1280, height: 1000 });
    const click: Click = (selector) => Promise.all([page.waitForNavigation(), page.click(selector)]);
    await opened(page);
    if ((await page.$('#access-key')) !== null) {
      await page.type(
        '#access-key',
        JSON.parse(await readFile(join(DATA_DIR, 'demo.json'), 'utf8')).accessKey,
      );
      await click('form[action$="/sign-in"] button');
    }
    await work(page, click);
  } finally {
    await page.close();
    const ended = new Promise((resolve) => service.once('exit', resolve));
    service.kill();
    await ended;
  }
}

/** The page, once the demo has started. */
async function opened(page: Page): Promise<void> {
  for (let second = 0; second < 90; second += 1) {
    await delay(1_000);
    const response = await page.goto(home).catch(() => undefined);
    if (response?.ok() || response?.status() === 401) return;
  }
  throw new Error('the demo did not start');
}

/** Counts of the last hour, as a few thousand messages would have left them. */
async function addMovement(): Promise<void> {
  const { knex, close } = await openDatabase(
    { databaseUrl: undefined, dataDirectory: DATA_DIR, poolSize: 1 },
    pino({ level: 'silent' }),
    (error) => {
      throw error;
    },
  );
  const minutes = Array.from({ length: 58 }, (_, minute) => minute + 2).flatMap((minute) =>
    [
      ['Safaricom', 90, 11],
      ['Airtel', 40, 7],
    ].map(([channel, most, wave]) => {
      const swell = 0.55 + 0.3 * Math.sin(minute / Number(wave)) + 0.15 * Math.sin(minute * 1.7);
      const accepted = Math.round(Number(most) * swell);
      const failed = Math.round(accepted * (minute % 9 === 0 ? 0.12 : 0.02));
      return { minute, channel, accepted, delivered: accepted - failed, failed };
    }),
  );
  await knex.raw(
    `insert into minute_counts (team_id, minute, product, channel, accepted, delivered, failed)
     select team, date_trunc('minute', service_now()) - minute * interval '1 minute', 'sms', channel, accepted, delivered, failed
     from json_to_recordset(?::json) as c(minute integer, channel text, accepted bigint, delivered bigint, failed bigint)
       cross join (values (''), ('demo')) as t(team)
     on conflict do nothing`,
    [JSON.stringify(minutes)],
  );
  await close();
}
