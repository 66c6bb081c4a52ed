/** Runs the service or a part of it, and drains it at the end. */
import type { Logger } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { watchConnectors } from '../connectors/runtime/metrics.ts';
import { publishedScripts } from '../connectors/simulators/published-scripts.ts';
import { consolePath } from '../console/path.ts';
import { demoConsoleLink } from '../console/session/demo-key.ts';
import { sendBurst } from '../demo/burst.ts';
import { type Demo, demoGreeting, findDemoFile, refreshDemoFile, writeDemoFile } from '../demo/file.ts';
import { withOutcomeLines } from '../demo/outcomes.ts';
import { seedDemo } from '../demo/seed.ts';
import { startOperatorServer } from '../http/operator-server.ts';
import { createReadiness } from '../http/readiness.ts';
import { demoDocsLink } from '../http/routes/demo-visitor.ts';
import { systemClock } from '../platform/clock.ts';
import { makeDataDirectory } from '../platform/db/embedded/data-directory.ts';
import { type Database, openDatabase } from '../platform/db/knex.ts';
import { migrate, migrateVisibly } from '../platform/db/migrate.ts';
import { whenReachable } from '../platform/db/reach.ts';
import { probeWrite } from '../platform/db/write-probe.ts';
import { watchQuarantine } from '../platform/isolation/metrics.ts';
import { createLog } from '../platform/log.ts';
import { flushSpans } from '../platform/tracing.ts';
import { watchJobs } from '../queue/backlog.ts';
import { createQueue, endLeases } from '../queue/queue.ts';
import { addToMinute, type MinuteCount } from '../read/statistics/minute-repository.ts';
import { createMinuteCounts, type MinuteCounts, startMinuteCounts } from '../read/statistics/minutes.ts';
import { watchReceipts } from '../receipts/backlog.ts';
import { createCallbackClient } from '../receipts/callback/client.ts';
import { createDestinations } from '../receipts/callback/destination.ts';
import { endReceiptLeases } from '../receipts/posting/repository.ts';
import type { Config } from './config.ts';
import { type ProcessContext, paceFor } from './context.ts';
import { createEvents } from './events.ts';
import { type Addresses, type DemoLinks, greeting, readyFields } from './greeting.ts';
import { type ApiListeners, listenForApi, listenForOperators } from './listeners.ts';
import { managementPath, startManagement } from './management.ts';
import { startPresence } from './presence.ts';
import { hasSecretKey, openSecrets } from './secret-key.ts';
import { startApi } from './serve.ts';
import { createShutdown, type Shutdown } from './shutdown.ts';
import { watchStandstill } from './standstill.ts';
import { withTrialProvider } from './trial-provider.ts';
import { startWorker, type WorkerOptions } from './worker/work.ts';

/** Which parts a process runs; with neither, it brings the database up to date and ends. */
export interface Parts {
  api: boolean;
  worker: boolean;
}

/** Resolves when the parts run; a signal ends them, and the process. Rejects when one cannot start. */
export async function runService(config: Config, parts: Parts): Promise<void> {
  const log = createLog(config.logLevel, config.logFormat);
  const shutdown = createShutdown(log, {
    graceMs: (parts.api ? config.drainDelayMs : 0) + config.shutdownGraceMs,
    startedByNpm: config.startedByNpm,
  });
  shutdown.add({ stop: flushSpans });
  for (const sentence of config.misspelt) log.logger.warn(sentence);
  try {
    if (parts.api || parts.worker) {
      const { metricsUrl, minutes, ...watched } = await watch(config, log.logger);
      const database = await prepareDatabase(config, log.logger, shutdown, parts);
      const context = await createContext(config, watched, database, parts);
      const listeners = parts.api ? await listenForApi(config) : undefined;
      shutdown.add({ stop: () => database.close() });
      const presence = startPresence(database, commandOf(parts), log.logger);
      if (presence !== undefined) shutdown.add(presence);
      const add = (counts: readonly MinuteCount[]) => addToMinute(database.knex, counts);
      shutdown.add(startMinuteCounts(minutes, add, log.logger, context.pace));
      await run(context, shutdown, parts, { metricsUrl, api: listeners });
    } else {
      const database = await prepareDatabase(config, log.logger, shutdown, parts);
      if (hasSecretKey(config)) await openSecrets(config, database.knex);
      await database.close();
      await shutdown.exit(0);
    }
  } catch (error) {
    // A part that is stopped while it starts fails; the process exits regardless.
    if (!shutdown.begun()) throw error;
  }
}

const commandOf = ({ api, worker }: Parts) => (api && worker ? 'start' : api ? 'serve' : 'work');

/** Opens the database and brings its tables up to date. */
async function prepareDatabase(
  config: Config,
  logger: Logger,
  shutdown: Shutdown,
  { api, worker }: Parts,
): Promise<Database> {
  const { databaseUrl, dataDirectory, databasePoolSize: poolSize, databaseSessions: sessions } = config;
  const database = await openDatabase(
    { databaseUrl, dataDirectory, poolSize, sessions, waits: api || worker },
    logger,
    (error) => {
      logger.fatal({ err: error }, 'embedded database stopped unexpectedly');
      void shutdown.exit(1);
    },
  );
  const bringUpToDate = api || worker ? migrate : migrateVisibly;
  const migrations = await whenReachable(logger, () => bringUpToDate(database.knex));
  if (migrations.length > 0) logger.info({ migrations }, 'tables created or updated');
  else if (!api && !worker) logger.info('tables are up to date');
  database.giveUpOnSilence();
  return database;
}

type Watched = Pick<ProcessContext, 'logger' | 'registry' | 'events' | 'readiness'>;

/** The health of the process, served before anything slow: a process that starts has not failed. */
async function watch(
  config: Config,
  logger: Logger,
): Promise<Watched & { metricsUrl: string; minutes: MinuteCounts }> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const minutes = createMinuteCounts();
  const events = minutes.counting(createEvents(registry, logger));
  const watched = {
    logger,
    registry,
    events: config.demo ? withOutcomeLines(events, logger, systemClock) : events,
    readiness: createReadiness(systemClock),
  };
  const listener = await listenForOperators(config);
  startOperatorServer(watched, listener);
  const metricsUrl = `${listener.url}/metrics`;
  logger.info({ metricsUrl }, 'listening for probes and metrics');
  return { ...watched, metricsUrl, minutes };
}

async function createContext(
  config: Config,
  watched: Watched,
  database: Database,
  { worker }: Parts,
): Promise<ProcessContext> {
  const { logger, registry } = watched;
  // On PostgreSQL, with SECRET_KEY and without the demo, a process needs no directory.
  if (config.secretKey === undefined || config.demo) makeDataDirectory(config.dataDirectory);
  const secrets = await whenReachable(logger, () => openSecrets(config, database.knex));
  if (worker)
    await whenReachable(logger, () => Promise.all([endLeases(database), endReceiptLeases(database)]));
  watchJobs(registry, database.knex);
  watchReceipts(registry, database.knex);
  watchConnectors(registry, database.knex);
  watchQuarantine(registry, database.knex);
  watchStandstill(registry, database);
  return {
    config,
    clock: systemClock,
    database,
    queue: createQueue(database.knex),
    pace: paceFor(database, logger),
    secrets,
    ...watched,
  };
}

interface ListeningAt {
  metricsUrl: string;
  api: ApiListeners | undefined;
}

async function run(
  context: ProcessContext,
  shutdown: Shutdown,
  { worker }: Parts,
  { metricsUrl, api }: ListeningAt,
): Promise<void> {
  const { config, logger, database, readiness } = context;
  const demo = api && config.demo ? await prepareDemo(context, api) : undefined;

  // Each uses the other only once both run.
  let server: Awaited<ReturnType<typeof startApi>> | undefined;
  const delivery = worker
    ? await startWorker(context, workerOptions(config), () => server?.busy() ?? false)
    : undefined;
  if (delivery !== undefined) shutdown.add(delivery);
  const addresses: Addresses = { publicUrl: api?.publicUrl, metricsUrl };
  const links: DemoLinks = {};
  if (api !== undefined) {
    const wake = {
      delivery: () => delivery?.wake.delivery(),
      receipts: () => delivery?.wake.receipts(),
    };
    const isTrial = config.demo && !config.production;
    const demoCredentials = isTrial ? () => findDemoFile(config.dataDirectory) : undefined;
    links.docs = demoDocsLink(api.publicUrl, demoCredentials?.());
    const clients = isTrial ? withTrialProvider(context, api.clients) : api.clients;
    server = await startApi(context, { ...api, clients }, { wake, demoCredentials });
    const burst = isTrial && demoCredentials?.()?.accessKey !== undefined ? () => burstOf(config) : undefined;
    const servers = [server, await startManagement(context, server.scopes, api, demoCredentials, burst)];
    // Together: the time to drain passes once.
    shutdown.add({ stop: async () => void (await Promise.all(servers.map((one) => one.stop()))) });
    addresses.managementUrl = managementUrlOf(api);
    addresses.consoleUrl = `${config.consoleUrl ?? api.management.url}${consolePath}`;
    links.console = demoConsoleLink(addresses.consoleUrl, demoCredentials?.()?.accessKey);
    logger.info({ managementUrl: addresses.managementUrl }, 'listening for management');
  }
  readiness.started(async () => {
    if (server?.stuck()) return 'overloaded';
    await probeWrite(database.knex);
    return undefined;
  });
  shutdown.add({ stop: async () => readiness.stopping() });
  if (config.allowLoopbackCallbacks) logger.warn('callbacks to loopback addresses are allowed');
  // People read the same in the greeting.
  logger.info(config.logFormat === 'text' ? {} : readyFields(config, addresses), 'ready');
  if (!config.production || config.logFormat === 'text')
    process.stderr.write(greeting(config, addresses, links));
  // Not into the log, which others may keep.
  if (demo !== undefined) process.stderr.write(demoGreeting(demo, config.dataDirectory));
}

async function burstOf({ dataDirectory }: Config): Promise<number> {
  const demo = findDemoFile(dataDirectory);
  return demo === undefined ? 0 : sendBurst(demo);
}

/** The demo, if this is its first start. */
async function prepareDemo(
  { config, logger, database, secrets }: ProcessContext,
  api: ApiListeners,
): Promise<Demo | undefined> {
  const { publicUrl: baseUrl } = api;
  // In production operators make the owners: none is made that nobody asked for.
  const addresses = config.production ? { baseUrl } : { baseUrl, managementUrl: managementUrlOf(api) };
  const demo = await whenReachable(logger, () => seedDemo(database.knex, secrets, addresses));
  if (demo !== undefined) writeDemoFile(config.dataDirectory, demo);
  else refreshDemoFile(config.dataDirectory, addresses);
  return demo;
}

const managementUrlOf = ({ management }: ApiListeners) => `${management.url}${managementPath}`;

function workerOptions({ allowLoopbackCallbacks }: Config): WorkerOptions {
  const destinations = createDestinations({ allowLoopback: allowLoopbackCallbacks });
  return { scripts: publishedScripts, callbacks: createCallbackClient({ destinations }) };
}
