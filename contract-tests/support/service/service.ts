/** Runs the real service as a process of its own, with demo data in a directory or database of its own. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Demo, readDemoFile } from '../../../src/demo/file.ts';
import { createFreshDatabase } from '../../../src/platform/db/testing.ts';
import { freePort } from '../../../src/platform/free-port-testing.ts';
import { type CallManagement, callerAt, succeeding } from '../management/caller.ts';
import { type Prepare, prepareData } from '../prepared/data.ts';
import { operatorPorts } from './metrics.ts';
import { startOwnProcess } from './process.ts';
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
 * Starts `tarishi start` on a free port. With DATABASE_URL in the settings or the test run's environment: in a
 * database of its own on that PostgreSQL. `prepare` changes the data before the first start; not with DATA_DIR.
 */
export async function startService(
  settings: Record<string, string> = {},
  prepare?: Prepare,
): Promise<Service> {
  const { DATABASE_URL: serverUrl = process.env.DATABASE_URL, ...environment } = settings;
  const dataDirectory = settings.DATA_DIR ?? mkdtempSync(join(tmpdir(), 'tarishi-'));
  const database = serverUrl === undefined ? undefined : await createFreshDatabase(serverUrl);
  const ownerKey =
    settings.DATA_DIR === undefined
      ? await prepareData({ dataDirectory, databaseUrl: database?.url }, prepare)
      : undefined;
  const { settings: ports, metricsUrl, managementUrl } = await operatorPorts();
  const port = String(await freePort());
  let output = '';

  const start = () =>
    startOwnProcess(
      'start',
      {
        PORT: port,
        DATA_DIR: dataDirectory,
        ...ports,
        ...(database === undefined ? {} : { DATABASE_URL: database.url }),
        ...environment,
      },
      metricsUrl,
      (text) => {
        output += text;
      },
    );

  let running = await start();
  const demo = readDemoFile(dataDirectory);
  const { proxyUrl, removeProxy } = await proxied(demo.baseUrl);
  const service: Service = {
    process: running.child,
    demo,
    dataDirectory,
    metricsUrl,
    management: { url: managementUrl, key: ownerKey },
    operate: succeeding(callerAt(managementUrl, ownerKey)),
    environment,
    databaseUrl: database?.url,
    proxyUrl,
    output: () => output,
    stop: () => running.stop(),
    kill: () => running.kill(),
    restart: async () => {
      running = await start();
      service.process = running.child;
    },
    dispose: async () => {
      await removeProxy();
      await running.kill();
      await database?.drop();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
  return service;
}
