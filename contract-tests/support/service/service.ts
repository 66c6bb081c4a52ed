/** Runs the real service as a process of its own, with demo data in a directory or database of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createFreshDatabase } from '../../../src/db/testing.ts';
import type { Demo } from '../../../src/demo/file.ts';
import { freePort } from '../../../src/free-port-testing.ts';
import { type CallManagement, callerAt, succeeding } from '../management/caller.ts';
import { operatorPorts } from './metrics.ts';
import { prepareData } from './prepared-data.ts';
import { proxied } from './proxy.ts';

export interface Service {
  demo: Demo;
  process: ChildProcess;
  dataDirectory: string;
  /** Where it serves health, readiness and metrics. */
  metricsUrl: string;
  /** Its management API, and the key of an owner. */
  management: { url: string; key: string | undefined };
  /** Calls its management API as an owner; throws unless the call succeeds. */
  operate: CallManagement;
  /** The PostgreSQL database of this service; undefined when it runs on the embedded one. */
  databaseUrl: string | undefined;
  /** A proxy that validates what is sent through it: see proxy.ts. */
  proxyUrl: string | undefined;
  /** Settings of the next `restart`. */
  environment: Record<string, string>;
  /** All it has written so far. */
  output: () => string;
  /** SIGTERM, then the exit code. */
  stop: () => Promise<number | null>;
  /** SIGKILL. */
  kill: () => Promise<void>;
  /** Starts it again on the same data and port, after `stop` or `kill`. */
  restart: () => Promise<void>;
  /** Ends it and removes its data. */
  dispose: () => Promise<void>;
}

/**
 * The tests' own choice of compiler for the embedded database: the quick one, where the better one would cost more
 * than so short a life gives back.
 */
export const nodeOptions = process.execArgv.filter((option) => option === '--liftoff-only');

/** What every process of ours is started with. */
export const processEnvironment = {
  PATH: process.env.PATH,
  HOST: '127.0.0.1',
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
};

const startLimitMs = 60_000;

/**
 * Starts `tarishi start` on a free port. With DATABASE_URL in the settings or the test run's environment: in a
 * database of its own on that PostgreSQL.
 */
export async function startService(settings: Record<string, string> = {}): Promise<Service> {
  const { DATABASE_URL: serverUrl = process.env.DATABASE_URL, ...environment } = settings;
  const dataDirectory = settings.DATA_DIR ?? mkdtempSync(join(tmpdir(), 'tarishi-'));
  const database = serverUrl === undefined ? undefined : await createFreshDatabase(serverUrl);
  const ownerKey =
    settings.DATA_DIR === undefined ? await prepareData(dataDirectory, database?.url) : undefined;
  const { settings: ports, metricsUrl, managementUrl } = await operatorPorts();
  const port = String(await freePort());
  let output = '';

  const start = async (): Promise<ChildProcess> => {
    const child = spawn(process.execPath, [...nodeOptions, 'src/main.ts', 'start'], {
      cwd: new URL('../../..', import.meta.url),
      env: {
        ...processEnvironment,
        PORT: port,
        DATA_DIR: dataDirectory,
        ...ports,
        ...(database === undefined ? {} : { DATABASE_URL: database.url }),
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (bytes) => {
        output += bytes;
      });
    // Outlives neither a start that took too long nor the tests.
    const killWithTests = () => child.kill('SIGKILL');
    process.once('exit', killWithTests);
    child.once('exit', () => process.off('exit', killWithTests));
    try {
      await untilReady(child, dataDirectory, () => output);
    } catch (error) {
      await end(child, 'SIGKILL');
      throw error;
    }
    return child;
  };

  const child = await start();
  const demo = readDemo(dataDirectory);
  const { proxyUrl, removeProxy } = await proxied(demo.baseUrl);
  const service: Service = {
    process: child,
    demo,
    dataDirectory,
    metricsUrl,
    management: { url: managementUrl, key: ownerKey },
    operate: succeeding(callerAt(managementUrl, ownerKey)),
    environment,
    databaseUrl: database?.url,
    proxyUrl,
    output: () => output,
    stop: () => end(service.process, 'SIGTERM'),
    kill: async () => {
      await end(service.process, 'SIGKILL');
    },
    restart: async () => {
      service.process = await start();
    },
    dispose: async () => {
      await removeProxy();
      await end(service.process, 'SIGKILL');
      await database?.drop();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
  return service;
}

function readDemo(directory: string): Demo {
  return JSON.parse(readFileSync(join(directory, 'demo.json'), 'utf8'));
}

async function untilReady(child: ChildProcess, directory: string, output: () => string): Promise<void> {
  const deadline = Date.now() + startLimitMs;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}:\n${output()}`);
    if (existsSync(join(directory, 'demo.json'))) {
      const { baseUrl } = readDemo(directory);
      const answer = await fetch(`${baseUrl}/readyz`).catch(() => undefined);
      if (answer?.status === 200) return;
    }
    await delay(50);
  }
  throw new Error(`the service was not ready in time:\n${output()}`);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
  return child.exitCode;
}
