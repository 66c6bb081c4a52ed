/** Runs the service or a part of it, and ends it in order. */
import { mkdirSync } from 'node:fs';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { startApi } from './api.ts';
import { systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { watchConnectors } from './connectors/metrics.ts';
import { openDatabase } from './db/knex.ts';
import { migrate } from './db/migrate.ts';
import { startQueue } from './delivery/queue.ts';
import { demoGreeting, refreshDemoFile, writeDemoFile } from './demo/file.ts';
import { seedDemo } from './demo/seed.ts';
import { createEvents } from './events.ts';
import { type Foundation, openSecrets, type Running } from './foundation.ts';
import { freePort } from './free-port.ts';
import { createLog, type Log } from './log.ts';
import { watchBacklog } from './receipts/backlog.ts';
import { startWorker } from './worker.ts';

/** Which parts a process runs; with neither, it brings the database up to date and ends. */
export interface Parts {
  api: boolean;
  worker: boolean;
}

/** Resolves when the parts run; a signal ends them, and the process. Rejects when one cannot start. */
export async function runService(config: Config, parts: Parts): Promise<void> {
  const log = createLog(config.logLevel);
  const foundation = await lay(config, log, parts);
  if (parts.api || parts.worker) await run(foundation, log, parts);
  else await close(foundation, log);
}

/** What every part stands on. */
async function lay(config: Config, log: Log, { api, worker }: Parts): Promise<Foundation> {
  const { logger } = log;
  mkdirSync(config.dataDirectory, { recursive: true, mode: 0o700 });
  const database = await openDatabase(
    {
      databaseUrl: config.databaseUrl,
      dataDirectory: config.dataDirectory,
      poolSize: config.databasePoolSize,
    },
    logger,
    (error) => {
      logger.fatal({ err: error }, 'the embedded database is gone');
      log.flush();
      process.exit(1);
    },
  );
  await migrate(database.knex);
  database.giveUpOnSilence();
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  watchBacklog(registry, database.knex);
  watchConnectors(registry, database.knex);
  // Tokens name the address as their issuer, so it must be known before the server listens.
  const port = api ? await freePort(config.host, config.port) : config.port;
  return {
    config: { ...config, port },
    publicUrl: config.publicUrl ?? `http://${hostOf(config.host)}:${port}`,
    clock: systemClock,
    logger,
    database,
    queue: await startQueue(database, logger, worker),
    secrets: openSecrets(config),
    registry,
    events: createEvents(registry, logger),
  };
}

async function run(foundation: Foundation, log: Log, { api, worker }: Parts) {
  const { config, publicUrl, logger, database, secrets } = foundation;
  const demo = config.demo && api ? await seedDemo(database.knex, secrets, publicUrl) : undefined;
  if (demo !== undefined) writeDemoFile(config.dataDirectory, demo);
  else if (config.demo && api) refreshDemoFile(config.dataDirectory, publicUrl);

  // Each looks at the other when it has something to do, never while it starts.
  let server: Awaited<ReturnType<typeof startApi>> | undefined;
  const delivery = worker ? await startWorker(foundation, () => server?.busy() ?? false) : undefined;
  server = api ? await startApi(foundation, () => delivery?.wake()) : undefined;
  if (config.allowLoopbackCallbacks) logger.warn('callbacks may reach loopback addresses of this machine');
  logger.info({ publicUrl: api ? publicUrl : undefined, embedded: database.embedded }, 'ready');
  if (demo !== undefined) process.stdout.write(demoGreeting(demo, config.dataDirectory));

  stopOnSignal(foundation, log, [server, delivery]);
}

/** Parts end in order: no new requests, then no new deliveries, then the database. */
function stopOnSignal(foundation: Foundation, log: Log, running: (Running | undefined)[]): void {
  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) process.exit(1);
    stopping = true;
    foundation.logger.info({ signal }, 'stopping');
    for (const part of running) await part?.stop();
    await close(foundation, log);
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      stop(signal).catch((error: unknown) => {
        foundation.logger.fatal({ err: error }, 'stopping failed');
        log.flush();
        process.exit(1);
      });
    });
}

async function close({ queue, database, logger }: Foundation, log: Log): Promise<void> {
  await queue.stop();
  await database.close();
  logger.info('stopped');
  log.flush();
}

function hostOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
