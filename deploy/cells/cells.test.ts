/**
 * Two cells behind the HAProxy of this folder, each with a database, a `serve` and a `work`: clients know one URL, a team
 * moves while it sends, and one cell does not notice the loss of the other. On PostgreSQL.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Accepted, type Load, startLoad } from '../../contract-tests/failover/load.ts';
import { messageKey, smsKey } from '../../contract-tests/failover/networks.ts';
import { toMany } from '../../contract-tests/support/requests/sms.ts';
import { call, tokenFor } from '../../contract-tests/support/service/api.ts';
import { rowsOf, unbalancedAccounts } from '../../contract-tests/support/service/stored-data.ts';
import { freePort } from '../../src/platform/free-port-testing.ts';
import {
  addTeam,
  bundles,
  type Cell,
  type Client,
  openCell,
  restartServe,
  run,
  servesOf,
  smsUnits,
  startCell,
} from './cell-testing.ts';
import { type Haproxy, isInstalled, startHaproxy } from './haproxy-testing.ts';

const serverUrl = process.env.DATABASE_URL;
const installed = isInstalled();
if (serverUrl === undefined) process.stderr.write('skipped without DATABASE_URL: two databases\n');

(installed && serverUrl !== undefined ? describe : describe.skip)('two cells behind HAProxy', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tarishi-cells-'));
  let baseUrl: string;
  let one: Cell;
  let two: Cell;
  let acme: Client;
  let globex: Client;
  let proxy: Haproxy;

  beforeAll(async () => {
    const port = await freePort();
    baseUrl = `http://127.0.0.1:${port}`;
    const settings = { PUBLIC_URL: baseUrl, SECRET_KEY: randomBytes(32).toString('base64') };
    one = await openCell({ serverUrl: serverUrl ?? '', dataDirectory: join(directory, 'one'), settings });
    two = await openCell({ serverUrl: serverUrl ?? '', dataDirectory: join(directory, 'two'), settings });
    acme = await addTeam(one, 'acme');
    await startCell(one);
    // The new cell gets the keys before it starts.
    await run(two, ['cell', 'keys', '--from-env', 'OTHER'], one);
    globex = await addTeam(two, 'globex');
    await startCell(two);
    proxy = await startHaproxy({
      port,
      folder: directory,
      cells: [servesOf(one), servesOf(two)],
      clients: { [acme.clientId]: 'cell-1', [globex.clientId]: 'cell-2' },
    });
  });
  afterAll(async () => {
    await proxy?.stop();
    for (const cell of [one, two]) await cell?.dispose();
    rmSync(directory, { recursive: true });
  });

  const loadOf = async (client: Client): Promise<Load> =>
    startLoad({
      baseUrls: [baseUrl],
      token: await tokenFor(baseUrl, client),
      smsPath: `/message/${client.team}-sms`,
      dataPath: `/data/${client.team}-gift`,
      receiptUrl: one.networks.receiptUrl,
    });
  const numberIn = async ({ database: { knex } }: Cell, query: string): Promise<number> =>
    Number((await rowsOf<{ sum: string | null }>(knex, query))[0]?.sum ?? 0);
  const spentIn = (cell: Cell) =>
    numberIn(
      cell,
      `select -sum(units) as sum from ledger_entries join accounts a on a.id = account_id
       where a.team_id = 'acme' and reason in ('Debit', 'Refund')`,
    );
  const balanceIn = (cell: Cell) =>
    numberIn(cell, "select sum(balance) as sum from accounts where team_id = 'acme'");

  /** In whichever cell: each SMS and bundle reached a network once, and each message has its receipt. */
  async function expectOnce(accepted: readonly Accepted[]): Promise<void> {
    const networks = [one.networks, two.networks];
    const messages = accepted.flatMap(({ requestId, phones }) =>
      phones.map((phone) => messageKey(requestId, phone)),
    );
    const isPosted = (message: string) => one.networks.receipts.get(message)?.states.has('Delivered');
    while (!messages.every(isPosted)) await delay(100);
    const timesOf = ({ product, text, phones }: Accepted) =>
      phones.map((phone) =>
        networks.reduce(
          (times, { sms, bundles }) =>
            times +
            (product === 'sms'
              ? (sms.get(smsKey(phone, text))?.length ?? 0)
              : (bundles.get(phone) ?? bundles.get(phone.slice(1)) ?? 0)),
          0,
        ),
      );
    expect(accepted.filter((one) => timesOf(one).some((times) => times !== 1))).toEqual([]);
  }

  const smsFrom = (client: Client, token: string, body: object = toMany(['+254711999999'])) =>
    call(baseUrl, `/message/${client.team}-sms`, { token, body });
  const requestsIn = async ({ database: { knex } }: Cell) =>
    (await rowsOf<{ id: string }>(knex, 'select id from requests')).map(({ id }) => id);

  test('each client reaches its cell by one URL, with a token from there', async () => {
    for (const [client, cell] of [
      [acme, one],
      [globex, two],
    ] as const) {
      const basic = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64');
      const tokens = [
        await tokenFor(baseUrl, client),
        (
          await call(baseUrl, '/oauth/token', {
            body: 'grant_type=client_credentials',
            headers: {
              authorization: `Basic ${basic}`,
              'content-type': 'application/x-www-form-urlencoded',
            },
          })
        ).body.access_token,
      ];
      for (const token of tokens) {
        const { status, body } = await smsFrom(client, token);
        expect(status).toBe(200);
        expect(await requestsIn(cell)).toContain(body.result.requestId);
      }
    }
  });

  test('both have the same keys, so that whoever verifies a token asks any of them', async () => {
    const keys = await Promise.all(
      [one, two].map(async ({ processes: [serve] }) =>
        (await fetch(`${serve?.baseUrl}/.well-known/jwks.json`)).json(),
      ),
    );
    expect(keys[0]).toEqual(keys[1]);
  });

  test('a client can neither choose its cell nor use the other one', async () => {
    const answer = await call(baseUrl, `/message/${globex.team}-sms`, {
      token: await tokenFor(baseUrl, acme),
      body: toMany(['+254711999999']),
    });
    expect(answer.status).toBe(404);
    expect((await smsFrom(acme, `${await tokenFor(baseUrl, globex)}x`)).status).toBe(401);
  });

  test('a team moves while it sends: nothing is lost, nothing is sent or billed twice', async () => {
    const before = { requests: await requestsIn(one), spent: await spentIn(one) };
    const load = await loadOf(acme);
    await load.more(60);
    await run(one, ['cell', 'copy', 'acme', '--to-env', 'OTHER'], two);
    await load.more(30);
    await proxy.route(acme.clientId, 'unavailable');
    const moved = await run(one, ['cell', 'move', 'acme', '--to-env', 'OTHER'], two);
    expect(moved.units).toBeGreaterThan(0);
    await proxy.route(acme.clientId, 'cell-2');
    await load.more(60);
    await load.stop();
    expect(load.faults).toEqual([]);
    expect([...load.statuses.keys()].sort()).toEqual([200, 503]);

    const stored = {
      one: (await requestsIn(one)).filter((id) => !before.requests.includes(id)),
      two: (await requestsIn(two)).filter((id) => load.accepted.some(({ requestId }) => requestId === id)),
    };
    expect([...stored.one, ...stored.two].sort()).toEqual(
      load.accepted.map(({ requestId }) => requestId).sort(),
    );
    expect(stored.one.length).toBeGreaterThan(80);
    expect(stored.two.length).toBeGreaterThan(40);
    await expectOnce(load.accepted);

    const spent = (await spentIn(one)) - before.spent + (await spentIn(two));
    expect(spent).toBe(load.accepted.reduce((sum, { phones }) => sum + phones.length, 0));
    const [left, arrived] = [await balanceIn(one), await balanceIn(two)];
    expect({ left, arrived }).toEqual({ left: 0, arrived: smsUnits + bundles - spent - before.spent });
    for (const { database } of [one, two]) expect(await unbalancedAccounts(database.knex)).toEqual([]);
    const settled = await run(one, ['cell', 'move', 'acme', '--to-env', 'OTHER'], two);
    expect(settled).toMatchObject({ units: 0, openMessages: 0, openReceipts: 0 });
  });

  test('a request that was accepted before the move is repeated after it with the same response', async () => {
    const token = await tokenFor(baseUrl, globex);
    const headers = { 'idempotency-key': 'across-the-move' };
    const send = () =>
      call(baseUrl, '/message/globex-sms', { token, body: toMany(['+254711999998']), headers });
    const first = await send();
    await proxy.route(globex.clientId, 'unavailable');
    await run(two, ['cell', 'move', 'globex', '--to-env', 'OTHER'], one);
    await proxy.route(globex.clientId, 'cell-1');
    expect((await send()).text).toBe(first.text);
    // What was sent before is looked up where it was sent from.
    const { requestId } = first.body.result;
    expect(await statusAt('sms.example.com', `/requests/${requestId}`, token)).toBe(404);
    expect(await statusAt('cell-2.sms.example.com', `/requests/${requestId}`, token)).toBe(200);
  });

  async function statusAt(host: string, path: string, token: string): Promise<number | undefined> {
    const asked = request(`${baseUrl}${path}`, { headers: { host, authorization: `Bearer ${token}` } });
    asked.end();
    const [response] = await once(asked, 'response');
    response.resume();
    return response.statusCode;
  }

  test('the processes of a cell restart one after the other without an error', async () => {
    const load = await loadOf(acme);
    await load.more(20);
    for (const index of [0, 1] as const) {
      await restartServe(two, index);
      // HAProxy looks once a second.
      await load.more(100);
    }
    await load.stop();
    expect([load.faults, [...load.statuses.keys()]]).toEqual([[], [200]]);
  });

  test('a cell that is killed leaves the other without an error', async () => {
    const load = await loadOf(acme);
    const token = await tokenFor(baseUrl, globex);
    await load.more(20);
    for (const { kill } of one.processes) await kill();
    const answers = [];
    const faults = new Set<string>();
    while (answers.length < 30) {
      answers.push(await smsFrom(globex, token));
      faults.add(await tokenFor(baseUrl, globex).catch((error: Error) => error.message));
      await delay(100);
    }
    await load.more(60);
    await load.stop();
    expect(load.faults).toEqual([]);
    expect([...load.statuses]).toEqual([[200, load.accepted.length]]);
    for (const { status, headers } of answers)
      expect([status, headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^[1-9]/)]);
    expect([...faults]).toEqual([expect.stringContaining('"error":"temporarily_unavailable"')]);
  });
});
