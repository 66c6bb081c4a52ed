/** The service in the test's own process, with demo data, a clock that the test moves, and its database at hand. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { publishedScripts } from '../../../src/connectors/simulators/published-scripts.ts';
import { steadyPace } from '../../../src/delivery/pace.ts';
import { type Demo, readDemoFile } from '../../../src/demo/file.ts';
import { createReadiness } from '../../../src/http/readiness.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { openDatabase } from '../../../src/platform/db/knex.ts';
import { createFreshDatabase } from '../../../src/platform/db/testing.ts';
import { markDatabaseAway, saysDatabaseIsAway } from '../../../src/platform/errors/database-away.ts';
import type { Secrets } from '../../../src/platform/secrets/secrets.ts';
import { readConfig } from '../../../src/process/config.ts';
import type { ProcessContext } from '../../../src/process/context.ts';
import { createEvents } from '../../../src/process/events.ts';
import { listenForApi } from '../../../src/process/listeners.ts';
import { managementPath, startManagement } from '../../../src/process/management.ts';
import { openSecrets } from '../../../src/process/secret-key.ts';
import { startApi } from '../../../src/process/serve.ts';
import { startWorker } from '../../../src/process/worker/work.ts';
import { createQueue } from '../../../src/queue/queue.ts';
import { createCallbackClient } from '../../../src/receipts/callback/client.ts';
import { createDestinations } from '../../../src/receipts/callback/destination.ts';
import { type CallManagement, callerAt, succeeding } from '../management/caller.ts';
import { prepareData } from '../prepared/data.ts';

export interface InProcess {
  demo: Demo;
  dataDirectory: string;
  knex: Knex;
  secrets: Secrets;
  /** An owner's key, and where it is for. */
  management: { url: string; key: string };
  /** Calls its management API as an owner; throws unless the call succeeds. */
  operate: CallManagement;
  /**
   * Time stands still for limits and lifetimes but for this, unless the service delivers; the time of day goes on,
   * ahead by as much.
   */
  pass: (ms: number) => void;
  /** Every connection to the database fails with this error; undefined: none does. */
  breakDatabase: (error: Error | undefined) => void;
  /** Makes every job due that waits for its next try, which goes by the clock of the database. */
  hurry: () => Promise<void>;
  /** Does everything that is due, if the service delivers. */
  settle: () => Promise<void>;
  dispose: () => Promise<void>;
}

export async function startInProcess(
  settings: Readonly<Record<string, string>> = {},
  { delivers = false, scripts = publishedScripts } = {},
): Promise<InProcess> {
  const serverUrl = process.env.DATABASE_URL;
  const fresh = serverUrl === undefined ? undefined : await createFreshDatabase(serverUrl);
  const dataDirectory = mkdtempSync(join(tmpdir(), 'tarishi-'));
  const ownerKey = await prepareData({ dataDirectory, databaseUrl: fresh?.url }, undefined);
  const logger = pino({ level: 'silent' });
  const database = await openDatabase({ databaseUrl: fresh?.url, dataDirectory, poolSize: 8 }, logger, fail);
  let aheadMs = 0;
  const clock = {
    now: () => systemClock.now() + aheadMs,
    elapsedMs: () => (delivers ? systemClock.elapsedMs() : 0) + aheadMs,
  };
  const config = readConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    MANAGEMENT_PORT: '0',
    METRICS_PORT: '0',
    DATA_DIR: dataDirectory,
    SHUTDOWN_GRACE_MS: '1000',
    ...settings,
  });
  const registry = new Registry();
  const context: ProcessContext = {
    config,
    clock,
    logger,
    database,
    registry,
    secrets: await openSecrets({ secretKey: undefined, dataDirectory }, database.knex),
    events: createEvents(registry, logger),
    pace: steadyPace,
    queue: createQueue(database.knex),
    readiness: createReadiness(clock),
  };
  const listeners = await listenForApi(config);
  const callbacks = createCallbackClient({ destinations: createDestinations({ allowLoopback: true }) });
  const worker = delivers ? await startWorker(context, { scripts, callbacks }, () => false) : undefined;
  const wake = worker?.wake ?? { delivery: () => {}, receipts: () => {} };
  const api = await startApi(context, listeners, { wake });
  const servers = [api, await startManagement(context, api.scopes, listeners)];
  const { client } = database.knex;
  const acquire = client.acquireConnection.bind(client);
  const management = { url: `${listeners.management.url}${managementPath}`, key: ownerKey };
  return {
    demo: { ...readDemoFile(dataDirectory), baseUrl: listeners.publicUrl },
    dataDirectory,
    knex: database.knex,
    secrets: context.secrets,
    management,
    operate: succeeding(callerAt(management.url, management.key)),
    pass: (ms) => {
      aheadMs += ms;
    },
    breakDatabase: (error) => {
      if (error !== undefined && saysDatabaseIsAway(error)) markDatabaseAway(error);
      client.acquireConnection = error === undefined ? acquire : () => Promise.reject(error);
    },
    hurry: async () => {
      const dueNow = { due_at: database.knex.raw('service_now()') };
      await database.knex('jobs').where({ claimed: false }).update(dueNow);
    },
    settle: async () => worker?.settle(),
    dispose: async () => {
      await Promise.all(servers.map(({ stop }) => stop()));
      await worker?.stop();
      await database.close();
      await fresh?.drop();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}

function fail(error: Error): never {
  throw error;
}
