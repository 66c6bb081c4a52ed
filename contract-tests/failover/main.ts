/**
 * Takes the primary, its standby and etcd away from a service under load, one after the other, and prints what clients
 * saw of it. Exit code 1 if something that was accepted is lost or doubled. Needs Patroni, etcd, HAProxy and
 * PostgreSQL, whose programs are in the directory that the first argument names.
 */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { type Node, startCluster } from '../../deploy/patroni/cluster-testing.ts';
import { readDemoFile } from '../../src/demo/file.ts';
import { openDatabase } from '../../src/platform/db/knex.ts';
import { createFreshDatabase } from '../../src/platform/db/testing.ts';
import { addConnector } from '../support/prepared/connectors.ts';
import { prepareData } from '../support/prepared/data.ts';
import { tokenFor } from '../support/service/api.ts';
import { type Beside, startProcess } from '../support/service/deployment.ts';
import { rowsOf, topUp } from '../support/service/stored-data.ts';
import { judge, lost, type Outage, unfinished } from './judge.ts';
import { type Load, startLoad } from './load.ts';
import { startNetworks } from './networks.ts';

const [bin = ''] = process.argv.slice(2);
const etcdAwaySeconds = Number(process.env.FAILOVER_ETCD_SECONDS ?? 60);
/** After the last fault; a worker's lease ends after a minute. */
const settleSeconds = 120;
/** A busy machine is slow: the goals are printed, only what is far from them fails. */
const patience = 3;
/** A shorter time without a 200 is none. */
const outageMs = 1_000;
/** A request waits five seconds for the database; twice that would be one wait after another. */
const longestResponseMs = 8_000;

const violations: string[] = [];
const startedMs = performance.now();
const say = (text: string) =>
  process.stdout.write(`${seconds(performance.now() - startedMs).padStart(8)}  ${text}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
process.once('uncaughtException', (error) => {
  say(String(error.stack));
  process.exit(1);
});

const directory = mkdtempSync(join(tmpdir(), 'tarishi-failover-'));
const cluster = await startCluster(bin, directory);
const networks = await startNetworks();
const fresh = await createFreshDatabase(cluster.url('haproxy', 'postgres'));
const name = new URL(fresh.url).pathname.slice(1);
const urls = [cluster.url('haproxy', name), cluster.url('both servers', name)];
const dataDirectory = join(directory, 'service');
mkdirSync(dataDirectory);
await prepareData({ dataDirectory, databaseUrl: urls[0] }, async ({ knex, secrets, demo }) => {
  for (const connector of networks.connectors) await addConnector({ knex, secrets }, connector);
  await knex('channels').update({ connector: 'smsc', bundle_connector: 'provider' });
  await topUp(knex, demo.clientId, 1_000_000);
});
const database = await openDatabase(
  { databaseUrl: urls[1], dataDirectory: undefined, poolSize: 2 },
  pino({ level: 'silent' }),
  () => {},
);
const { knex } = database;
const demo = readDemoFile(dataDirectory);
const processes = await startProcesses();
const servers = processes.slice(0, 2).map(({ baseUrl }) => baseUrl);
const sender = {
  baseUrls: servers,
  token: await tokenFor(servers[0] ?? '', demo),
  smsPath: `/message/${demo.smsServiceId}`,
  dataPath: `/data/${demo.campaigns.open}`,
  receiptUrl: networks.receiptUrl,
};
say('cluster and service are up');

const load = startLoad(sender);
await load.more(100);
const outages = await strikeAll();
await load.stop();
const settledMs = performance.now();
let left: string[];
do {
  await delay(500);
  left = await unfinished(knex, load.accepted, networks);
} while (left.length > 0 && performance.now() - settledMs < settleSeconds * 1_000);
violations.push(...left, ...load.faults.slice(0, 10));
const verdict = await judge(knex, load.accepted, networks, outages);
violations.push(...verdict.violations);
say(
  `${load.accepted.length} requests accepted; responses ${JSON.stringify(Object.fromEntries(load.statuses))}, the slowest after ` +
    `${seconds(load.slowestMs())}; ${verdict.smsTwice} of ${networks.sms.size} SMS and ${verdict.bundlesTwice} of ${networks.bundles.size} bundles sent twice; ` +
    `${networks.receipts.size} messages with receipts; settled after ${seconds(performance.now() - settledMs)}`,
);
if (load.slowestMs() > longestResponseMs) violations.push('a response took longer than one wait of 5 s');
for (const { process: child, output } of processes) {
  if (child.exitCode !== null) violations.push(`a process ended with ${child.exitCode}`);
  const failed = output().match(/.*"msg":"(background work|request) failed.*/g) ?? [];
  if (failed.length > 0) violations.push(`a process logged ${failed.length} lines such as ${failed[0]}`);
}
await control();
say(violations.length === 0 ? 'nothing was lost or doubled' : 'failed');
for (const violation of violations) say(`VIOLATED: ${violation}`);
// As Jest says it, for the sum of .ci/run.
process.stdout.write(`Tests: 1 ${violations.length === 0 ? 'passed' : 'failed'}, 1 total\n`);
process.exit(violations.length === 0 ? 0 : 1);

/** Two `serve` and two `work`: of each, one through HAProxy and one by the names of both servers. */
async function startProcesses(): Promise<Beside[]> {
  const started: Beside[] = [];
  for (const command of ['serve', 'work'] as const)
    for (const DATABASE_URL of urls)
      started.push(
        await startProcess(command, {
          DATABASE_URL,
          DATA_DIR: dataDirectory,
          PUBLIC_URL: 'http://failover.example',
          ALLOW_LOOPBACK_CALLBACKS: 'true',
          RATE_LIMIT_PER_SECOND: '1000000',
          LOG_LEVEL: 'info',
        }),
      );
  return started;
}

/** Each fault, under load; returns those that clients could see. */
async function strikeAll(): Promise<Outage[]> {
  let gone = await cluster.primary();
  const replace = (how: (node: Node) => void) => async () => {
    gone = await cluster.primary();
    how(gone);
    await cluster.untilPrimary(cluster.standbyOf(gone));
  };
  const bringBack = (how: (node: Node) => void) => async () => {
    how(gone);
    await cluster.untilWhole();
  };
  const faults: [string, number, () => Promise<void>][] = [
    [
      'switchover',
      10,
      async () => {
        await cluster.switchover();
        await cluster.untilWhole();
      },
    ],
    ['primary and its Patroni killed with SIGKILL', 40, replace(cluster.kill)],
    ['old primary returns', 10, bringBack(cluster.start)],
    ['primary and its Patroni stopped with SIGSTOP', 40, replace(cluster.stop)],
    ['old primary goes on', 10, bringBack(cluster.continue)],
    [
      'standby killed',
      20,
      async () => {
        gone = cluster.standbyOf(await cluster.primary());
        cluster.kill(gone);
      },
    ],
    ['standby returns', 10, bringBack(cluster.start)],
    [
      `etcd gone for ${etcdAwaySeconds} s`,
      10,
      async () => {
        cluster.killEtcd();
        await delay(etcdAwaySeconds * 1_000);
        cluster.startEtcd();
        await cluster.untilWhole();
      },
    ],
  ];
  const seen: Outage[] = [];
  for (const [what, goalSeconds, strike] of faults) {
    const atMs = performance.now();
    await strike();
    await load.more(100);
    const backMs = backAfter(load, atMs);
    if (backMs > outageMs) seen.push({ fromMs: atMs, toMs: atMs + backMs });
    say(
      `${what}: ${backMs > outageMs ? `back after ${seconds(backMs)}` : 'no outage'} (goal: ${goalSeconds} s)`,
    );
    if (backMs > goalSeconds * patience * 1_000) violations.push(`${what}: back after ${seconds(backMs)}`);
  }
  return seen;
}

/** The end of the longest time without a 200 since then, in milliseconds after then. */
function backAfter({ accepted }: Load, atMs: number): number {
  const times = [atMs, ...accepted.map((one) => one.atMs).filter((one) => one >= atMs)];
  const gaps = times.slice(1).map((time, index) => ({ ms: time - (times[index] ?? time), endMs: time }));
  const longest = gaps.reduce((one, other) => (other.ms > one.ms ? other : one));
  return longest.ms > outageMs ? longest.endMs - atMs : longest.ms;
}

/** Without synchronous replication, and with a standby that lags behind, requests must be lost: else nothing was shown. */
async function control(): Promise<void> {
  await cluster.untilWhole();
  await cluster.change({ synchronous_mode: false, maximum_lag_on_failover: 2 ** 30 });
  const primary = await cluster.primary();
  await knex.raw('alter role replicator nologin');
  for (;;) {
    await knex.raw('select pg_terminate_backend(pid) from pg_stat_replication');
    const [row] = await rowsOf<{ waits: boolean }>(
      knex,
      `select current_setting('synchronous_standby_names') <> '' or exists (select from pg_stat_replication) as waits`,
    );
    if (row?.waits === false) break;
    await delay(100);
  }
  const unsafe = startLoad(sender);
  await unsafe.more(100);
  cluster.kill(primary);
  const acknowledged = [...unsafe.accepted];
  await cluster.untilPrimary(cluster.standbyOf(primary));
  await unsafe.stop();
  const gone = await lost(knex, acknowledged);
  say(
    `control, asynchronous with a standby held back: ${gone.length} of ${acknowledged.length} requests lost`,
  );
  if (gone.length === 0)
    violations.push('the control run lost nothing, so this test would not notice a loss');
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
