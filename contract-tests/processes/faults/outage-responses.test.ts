/** While PostgreSQL is away, in whatever way, each request has 503 with Retry-After after about 5 s. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Browser, createBrowser } from '../../support/console/browser.ts';
import { callerAt } from '../../support/management/caller.ts';
import { bundleToMany } from '../../support/requests/disbursement.ts';
import { phones, toMany } from '../../support/requests/sms.ts';
import { call } from '../../support/service/api.ts';
import { describeOnPostgres } from '../../support/service/on-postgres.ts';
import { type OnRoad, type Road, startOnRoad, startUnreachable } from '../../support/service/road.ts';
import { rowsOf, unbalancedAccounts } from '../../support/service/stored-data.ts';

/** Two waits of 5 s, one after the other, take longer. */
const longestMs = 8_000;
const rounds = 2;
const onPostgres = describeOnPostgres('the embedded database lives and dies with its process');

let away: OnRoad;
let browser: Browser;
let requestId: string;
/** Of every key that was sent. */
let keys: string[];

onPostgres('PostgreSQL', () => {
  const start = async (urlOf?: Parameters<typeof startOnRoad>[1]) => {
    away = await startOnRoad(process.env.DATABASE_URL ?? '', urlOf);
    browser = createBrowser();
    await browser.go(consolePage('sign-in'), { accessKey: away.demo.accessKey ?? '' });
    keys = [];
    requestId = (await sendSms()).body.result.requestId;
  };
  afterEach(async () => {
    away.road.open();
    await readiness(200);
    for (const key of keys) while ((await sendSms(key)).status !== 200) await delay(100);
    const { knex } = away;
    expect(
      await rowsOf(knex, `select count(*)::integer as count from requests where operation = 'sendSms'`),
    ).toEqual([{ count: keys.length }]);
    expect(await unbalancedAccounts(knex)).toEqual([]);
  });

  describe('at one address', () => {
    beforeAll(() => start(), 120_000);
    afterAll(() => away?.end());

    test('that stops responding', async () => {
      await expectUnavailable(({ stall }) => stall());
    });

    test('that breaks connections, and says nothing on new ones', async () => {
      await expectUnavailable(({ mute }) => mute());
    });

    test('that refuses connections', async () => {
      await expectUnavailable(({ cut }) => cut());
    });
  });

  describe('at two addresses, of which one drops packets', () => {
    let unreachable: Awaited<ReturnType<typeof startUnreachable>>;
    beforeAll(async () => {
      unreachable = await startUnreachable();
      await start(({ url }) =>
        url.replace(/@?([^/@]+)(\/[^/]*)$/, (hosts) => hosts.replace('/', `,127.0.0.1:${unreachable.port}/`)),
      );
    });
    afterAll(async () => {
      await away?.end();
      unreachable?.close();
    });

    test('when the other drops connections', async () => {
      await expectUnavailable(({ cut }) => cut());
    });

    test('when the other is demoted', async () => {
      const { road, knex, url } = away;
      const name = new URL(url).pathname.slice(1);
      const setReadOnly = (on: boolean) =>
        knex.transaction(async (trx) => {
          await trx.raw('set transaction read write');
          await trx.raw(`alter database ${name} set default_transaction_read_only = ${on}`);
        });
      await setReadOnly(true);
      await expectUnavailable(async () => {
        road.leadTo(Number(new URL(url).port));
        await knex.raw(
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
async function expectUnavailable(goAway: (road: Road) => void | Promise<void>): Promise<void> {
  const surprised = Promise.all(Array.from({ length: 4 }, () => sendSms()));
  await goAway(away.road);
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
  const { service, demo, token } = away;
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
  return `${new URL(away.demo.managementUrl ?? '').origin}/console/${name}`;
}

function sendSms(key: string = randomUUID()) {
  if (!keys.includes(key)) keys.push(key);
  const { service, demo, token } = away;
  return call(service.baseUrl, `/message/${demo.smsServiceId}`, {
    token,
    body: toMany(phones(2)),
    headers: { 'idempotency-key': key },
  });
}

async function readiness(status: number): Promise<void> {
  while ((await call(away.service.baseUrl, '/readyz', { method: 'GET' })).status !== status) await delay(50);
}
