/** While PostgreSQL is away, in whatever way, each request has 503 with Retry-After after about 5 s. */
import { type ChildProcess, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { type Demo, readDemoFile } from '../../../src/demo/file.ts';
import { type Database, openDatabase } from '../../../src/platform/db/knex.ts';
import { createFreshDatabase, type FreshUrl } from '../../../src/platform/db/testing.ts';
import { freePort } from '../../../src/platform/free-port-testing.ts';
import { type Browser, createBrowser } from '../../support/console/browser.ts';
import { callerAt } from '../../support/management/caller.ts';
import { bundleToMany } from '../../support/requests/disbursement.ts';
import { phones, toMany } from '../../support/requests/sms.ts';
import { call, tokenFor } from '../../support/service/api.ts';
import { type Beside, startProcess } from '../../support/service/deployment.ts';
import { describeOnPostgres } from '../../support/service/on-postgres.ts';
import { type Road, roadTo, startUnreachable } from '../../support/service/road.ts';
import { rowsOf, unbalancedAccounts } from '../../support/service/stored-data.ts';

/** Two waits of 5 s, one after the other, take longer. */
const longestMs = 8_000;
const rounds = 2;
const serverUrl = process.env.DATABASE_URL;
const onPostgres = describeOnPostgres('the embedded database lives and dies with its process');
const hasHaproxy = (spawnSync('haproxy', ['-v']) as SpawnSyncReturns<Buffer>).error === undefined;
if (!hasHaproxy) process.stderr.write('skipped: haproxy is not installed\n');

let fresh: FreshUrl;
let database: Database;
let road: Road;
let service: Beside;
let directory: string;
let demo: Demo;
let token: string;
let browser: Browser;
let requestId: string;
/** Of every key that was sent. */
let keys: string[];

onPostgres('PostgreSQL', () => {
  const endings: (() => unknown)[] = [];
  const start = async (urlOf: (road: Road) => string | Promise<string>) => {
    directory = mkdtempSync(join(tmpdir(), 'tarishi-outage-'));
    fresh = await createFreshDatabase(serverUrl ?? '');
    road = await roadTo(fresh.url);
    service = await startProcess('start', {
      DATA_DIR: directory,
      DATABASE_URL: await urlOf(road),
      RATE_LIMIT_PER_SECOND: '1000000',
    });
    demo = readDemoFile(directory);
    token = await tokenFor(service.baseUrl, demo);
    browser = createBrowser();
    await browser.go(consolePage('sign-in'), { accessKey: demo.accessKey ?? '' });
    keys = [];
    const first = await sendSms();
    requestId = first.body.result.requestId;
    database = await openDatabase(
      { databaseUrl: fresh.url, dataDirectory: undefined, poolSize: 2 },
      pino({ level: 'silent' }),
      () => {},
    );
  };
  const end = async () => {
    road?.close();
    await service?.kill();
    await database?.close();
    await fresh?.drop();
    rmSync(directory, { recursive: true });
    for (const ending of endings.splice(0)) await ending();
  };
  afterEach(async () => {
    road.open();
    await readiness(200);
    for (const key of keys) while ((await sendSms(key)).status !== 200) await delay(100);
    const { knex } = database;
    expect(
      await rowsOf(knex, `select count(*)::integer as count from requests where operation = 'sendSms'`),
    ).toEqual([{ count: keys.length }]);
    expect(await unbalancedAccounts(knex)).toEqual([]);
  });

  describe('at one address', () => {
    beforeAll(() => start(({ url }) => url), 120_000);
    afterAll(end);

    test('that stops responding', async () => {
      await expectUnavailable(() => road.stall());
    });

    test('that breaks connections, and says nothing on new ones', async () => {
      await expectUnavailable(() => road.mute());
    });

    test('that refuses connections', async () => {
      await expectUnavailable(() => road.cut());
    });

    (hasHaproxy ? test : test.skip)('behind a HAProxy without a server that it could use', async () => {
      const port = await startHaproxy(directory, endings);
      await expectUnavailable(() => road.leadTo(port));
    });
  });

  describe('at two addresses, of which one drops packets', () => {
    beforeAll(() =>
      start(async ({ url }) => {
        const { port, close } = await startUnreachable();
        endings.push(close);
        return url.replace(/@?([^/@]+)(\/[^/]*)$/, (hosts) => hosts.replace('/', `,127.0.0.1:${port}/`));
      }),
    );
    afterAll(end);

    test('when the other drops connections', async () => {
      await expectUnavailable(() => road.cut());
    });

    test('when the other is demoted', async () => {
      const name = new URL(fresh.url).pathname.slice(1);
      const setReadOnly = (on: boolean) =>
        database.knex.transaction(async (trx) => {
          await trx.raw('set transaction read write');
          await trx.raw(`alter database ${name} set default_transaction_read_only = ${on}`);
        });
      await setReadOnly(true);
      await expectUnavailable(async () => {
        road.leadTo(Number(new URL(fresh.url).port));
        await database.knex.raw(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        );
      });
      await setReadOnly(false);
    });
  });
});

interface Outcome {
  what: string;
  status: number;
  retryAfter: string | null;
  ms: number;
}

/** From before it goes away until it was away for a while. */
async function expectUnavailable(goAway: () => void | Promise<void>): Promise<void> {
  const surprised = Promise.all(Array.from({ length: 4 }, () => sendSms()));
  await goAway();
  const outcomes: Outcome[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const asked = everyRequest();
    // The next ones find some that wait.
    outcomes.push(await Promise.race(asked));
    void Promise.all(asked).then((all) => outcomes.push(...all));
    while (round === rounds - 1 && outcomes.length < rounds * (asked.length + 1)) await delay(50);
  }
  for (const { status } of await surprised) expect([200, 503]).toContain(status);
  expect(
    outcomes.filter(({ status, retryAfter, ms }) => status !== 503 || !retryAfter || ms > longestMs),
  ).toEqual([]);
  await readiness(503);
}

function everyRequest(): Promise<Outcome>[] {
  const management = callerAt(demo.managementUrl ?? '', demo.accessKey);
  const get = (path: string) => call(service.baseUrl, path, { method: 'GET', token });
  const requests: Record<string, () => Promise<{ status: number; headers: Headers }>> = {
    issueToken: () =>
      call(service.baseUrl, '/oauth/token', {
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: demo.clientId,
          client_secret: demo.clientSecret,
        }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    sendSms: () => sendSms(),
    previewSms: () =>
      call(service.baseUrl, `/message/${demo.smsServiceId}/preview`, { token, body: toMany(phones(2)) }),
    disburseData: () =>
      call(service.baseUrl, `/data/${demo.campaigns.open}`, {
        token,
        body: bundleToMany(phones(1), '100MB'),
        headers: { 'idempotency-key': randomUUID() },
      }),
    getRequest: () => get(`/requests/${requestId}`),
    listMessages: () => get('/messages'),
    listBalances: () => get('/balances'),
    listTeams: () => management('GET /teams'),
    pageOfTeams: () => browser.go(consolePage('teams')),
    callOfNetwork: () => fetch(`${service.baseUrl}/inbound/whatsapp`, { method: 'POST', body: '{}' }),
    createTeam: () => management('POST /teams', { id: `team-${randomUUID().slice(0, 8)}`, name: 'Outage' }),
  };
  return Object.entries(requests).map(async ([what, ask]) => {
    const fromMs = performance.now();
    const { status, headers } = await ask();
    return { what, status, retryAfter: headers.get('retry-after'), ms: performance.now() - fromMs };
  });
}

function consolePage(name: string): string {
  return `${new URL(demo.managementUrl ?? '').origin}/console/${name}`;
}

function sendSms(key: string = randomUUID()) {
  if (!keys.includes(key)) keys.push(key);
  return call(service.baseUrl, `/message/${demo.smsServiceId}`, {
    token,
    body: toMany(phones(2)),
    headers: { 'idempotency-key': key },
  });
}

async function readiness(status: number): Promise<void> {
  while ((await call(service.baseUrl, '/readyz', { method: 'GET' })).status !== status) await delay(50);
}

/** With the timeouts of deploy/patroni, and nothing behind it. */
async function startHaproxy(directory: string, endings: (() => unknown)[]): Promise<number> {
  const port = await freePort();
  const file = join(directory, 'haproxy.cfg');
  writeFileSync(
    file,
    `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen primary
  bind 127.0.0.1:${port}
  server gone 127.0.0.1:9 disabled
`,
  );
  const child: ChildProcess = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  endings.push(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  const listens = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
      socket.on('close', () => resolve(false));
    });
  while (!(await listens())) await delay(50);
  return port;
}
