/** Runs our service for a benchmark: demo data, a large balance, one SMPP connector, and the processes asked for. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { pino } from 'pino';
import type { Demo } from '../../../src/demo/file.ts';
import { openDatabase } from '../../../src/platform/db/knex.ts';
import { copyEmptyDatabase, createFreshDatabase } from '../../../src/platform/db/testing.ts';
import { freePort } from '../../../src/platform/free-port-testing.ts';
import { secretKey } from './secret-key.ts';

export type Command = 'start' | 'serve' | 'work';

export interface ServiceOptions {
  /** Processes to run. */
  commands: readonly Command[];
  /** A PostgreSQL server; undefined: the embedded database. */
  serverUrl: string | undefined;
  /** Where the SMSC listens; undefined: the simulated networks take the messages. */
  smscPort: number | undefined;
  settings?: Record<string, string>;
  /** The checkout whose service runs; undefined: this one. */
  directory?: string | undefined;
  /** Fills the database before the measured processes start. */
  prepare?: (knex: Knex) => Promise<void>;
}

export interface Process {
  name: Command;
  pid: number;
}

export interface BenchedService {
  demo: Demo;
  token: string;
  /** One per process that serves HTTP. */
  baseUrls: readonly string[];
  processes: readonly Process[];
  /** The service's own database on PostgreSQL. */
  databaseUrl: string | undefined;
  /** SIGTERM to all processes; leaves the data. */
  stop: () => Promise<void>;
  /** Starts them again after `stop`; `processes` are new ones then. */
  restart: () => Promise<void>;
  /** Ends everything and removes the data. */
  dispose: () => Promise<void>;
}

const units = 1_000_000_000;

export async function startBenchedService(options: ServiceOptions): Promise<BenchedService> {
  const { commands, serverUrl, settings = {} } = options;
  const dataDirectory = mkdtempSync(join(tmpdir(), 'tarishi-bench-'));
  const database = serverUrl === undefined ? undefined : await createFreshDatabase(serverUrl);
  if (database === undefined) await copyEmptyDatabase(dataDirectory);
  const publicUrl = `http://127.0.0.1:${await freePort()}`;
  const environment = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    DEMO: 'true',
    ALLOW_LOOPBACK_CALLBACKS: 'true',
    HOST: '127.0.0.1',
    PUBLIC_URL: publicUrl,
    METRICS_PORT: '0',
    MANAGEMENT_PORT: '0',
    DATA_DIR: dataDirectory,
    DRAIN_DELAY_MS: '0',
    LOG_LEVEL: 'warn',
    RATE_LIMIT_PER_SECOND: '1000000',
    SECRET_KEY: secretKey,
    ...(database === undefined ? {} : { DATABASE_URL: database.url }),
    ...settings,
  };
  const running: ChildProcess[] = [];
  const run = async (command: Command, port: number, quietly = false): Promise<Process> => {
    const child = launch(
      command,
      { ...environment, PORT: String(port) },
      { quietly, directory: options.directory },
    );
    running.push(child);
    if (command !== 'work') await untilReady(child, `http://127.0.0.1:${port}`);
    return { name: command, pid: child.pid ?? 0 };
  };
  const stop = async () => {
    await Promise.all(running.splice(0).map((child) => end(child, 'SIGTERM')));
  };

  const firstPort = Number(new URL(publicUrl).port);
  await run('start', firstPort, true);
  const demo: Demo = JSON.parse(readFileSync(join(dataDirectory, 'demo.json'), 'utf8'));
  await stop();
  await withData({ databaseUrl: database?.url, dataDirectory }, async (knex) => {
    await provision(knex, demo.clientId, options.smscPort);
    await options.prepare?.(knex);
  });

  const processes: Process[] = [];
  const baseUrls: string[] = [];
  const startAll = async () => {
    processes.length = 0;
    baseUrls.length = 0;
    for (const command of commands) {
      const port = baseUrls.length === 0 ? firstPort : await freePort();
      processes.push(await run(command, port));
      if (command !== 'work') baseUrls.push(`http://127.0.0.1:${port}`);
    }
  };
  await startAll();
  return {
    demo,
    token: await fetchToken(publicUrl, demo),
    baseUrls,
    processes,
    databaseUrl: database?.url,
    stop,
    restart: startAll,
    dispose: async () => {
      await Promise.all(running.splice(0).map((child) => end(child, 'SIGKILL')));
      await database?.drop();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** What goes wrong is written to the terminal; `quietly` leaves out the demo's greeting too. */
function launch(
  command: Command,
  environment: Record<string, string | undefined>,
  { quietly, directory }: { quietly: boolean; directory: string | undefined },
): ChildProcess {
  const child = spawn(process.execPath, ['bin/tarishi.js', command], {
    cwd: directory ?? new URL('../../..', import.meta.url),
    env: environment,
    stdio: ['ignore', 'ignore', quietly ? 'ignore' : 'inherit'],
  });
  const killWithParent = () => child.kill('SIGKILL');
  process.once('exit', killWithParent);
  child.once('exit', () => process.off('exit', killWithParent));
  return child;
}

async function untilReady(child: ChildProcess, baseUrl: string): Promise<void> {
  const deadlineMs = performance.now() + 60_000;
  while (performance.now() < deadlineMs) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`);
    const response = await fetch(`${baseUrl}/readyz`).catch(() => undefined);
    if (response?.status === 200) return;
    await delay(50);
  }
  throw new Error('the service was not ready in time');
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

interface Place {
  databaseUrl: string | undefined;
  dataDirectory: string;
}

async function withData({ databaseUrl, dataDirectory }: Place, work: (knex: Knex) => Promise<void>) {
  const database = await openDatabase(
    { databaseUrl, dataDirectory, poolSize: 2 },
    pino({ level: 'silent' }),
    (error) => {
      throw error;
    },
  );
  try {
    await work(database.knex);
  } finally {
    await database.close();
  }
}

/** Demo balances are small, and demo channels lead to simulators. */
async function provision(knex: Knex, teamId: string, smscPort: number | undefined): Promise<void> {
  await knex.raw(
    `with account as (
       update accounts set balance = balance + ? where team_id = ? returning id
     ) insert into ledger_entries (account_id, units, reason) select id, ?, 'TopUp' from account`,
    [units, teamId, units],
  );
  if (smscPort === undefined) return;
  const settings = { host: '127.0.0.1', port: smscPort, systemId: 'bench', window: 50, rate: 100_000 };
  await knex('connectors').insert({ name: 'smsc', kind: 'smpp', settings: JSON.stringify(settings) });
  await knex('channels').update({ connector: 'smsc' });
}

async function fetchToken(baseUrl: string, { clientId, clientSecret }: Demo): Promise<string> {
  const response = await fetch(`${baseUrl}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    }),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  return token;
}
