/** Runs the service as a sandbox: in memory, with simulated networks, a clock that moves and a control API. */
import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { startSimulatedProvider } from '../../connectors/simulators/http-provider.ts';
import { loadDocument } from '../../contract/document.ts';
import { createOperationFinder } from '../../contract/routes.ts';
import { publishedSecrets } from '../../demo/published-secrets.ts';
import { seedDemo } from '../../demo/seed.ts';
import { connectionLimit } from '../../http/bounds.ts';
import { listen } from '../../http/connections/listener.ts';
import { type ListeningServer, startOpenServer } from '../../http/front/open-server.ts';
import { createReadiness } from '../../http/readiness.ts';
import { createReceive } from '../../inbound/receive.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/knex.ts';
import { migrate } from '../../platform/db/migrate.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import { type Config, readConfig } from '../../process/config.ts';
import { factsLifetimeMs, type ProcessContext, paceFor, type Running } from '../../process/context.ts';
import { createEvents } from '../../process/events.ts';
import { openSecrets } from '../../process/secret-key.ts';
import { startApi } from '../../process/serve.ts';
import { inboundOf } from '../../process/worker/inbound.ts';
import { startWorker } from '../../process/worker/work.ts';
import { createQueue } from '../../queue/queue.ts';
import { type CallbackClient, createCallbackClient } from '../../receipts/callback/client.ts';
import { createDestinations } from '../../receipts/callback/destination.ts';
import { createAnyId } from './any-id/repository.ts';
import { type CallbackDependencies, createSandboxCallbacks, type PostedReceipt } from './callbacks.ts';
import { type ControlDependencies, createControlHandlers, type SandboxDocument } from './control.ts';
import { createFaults } from './faults.ts';
import { type ReceivedRequest, startFront } from './front.ts';
import { listMessages, newestMessageId } from './message-repository.ts';
import { createNumbers, type NumberScripts } from './numbers.ts';
import { createHear } from './phones/hear.ts';
import { createPreferredResponse } from './prefer.ts';
import { setPumpingGuard } from './pumping-guard-repository.ts';
import { enableQuietHours } from './quiet-hours-repository.ts';
import { createRandom } from './random.ts';
import { createRecording } from './recording.ts';
import { resetActivity } from './reset-repository.ts';
import { startSimulatedSmsc } from './smsc/simulated.ts';
import { createSandboxClock } from './time/clock.ts';
import { findDue } from './time/due-repository.ts';
import { createTravel } from './time/travel.ts';

export interface SandboxOptions {
  host: string;
  /** 0 picks a free one. */
  port: number;
  seed: number;
  /** Where the simulated SMS network listens as an SMSC; undefined: nowhere. */
  smppPort: number | undefined;
  /** Where it listens as an HTTP provider; undefined: nowhere. */
  providerPort?: number | undefined;
  /** Where that provider calls that is not told with each message; undefined: nowhere. */
  providerCallback?: string | undefined;
  /** Where all receipts are posted; undefined: to the callbackUrl of their request. */
  receiptsTo: string | undefined;
  /** Makes the services, campaigns and templates that requests name. */
  anyId: boolean;
  /** What numbers do from the start on, and after a reset. */
  scripts: NumberScripts;
}

export type SandboxDescription = ReturnType<ControlDependencies['describe']>;

export interface Sandbox extends Running {
  description: SandboxDescription;
  smppPort: number | undefined;
  providerPort: number | undefined;
}

/** `database`: empty, for this sandbox only. */
export async function startSandbox(
  options: SandboxOptions,
  database: Database,
  logger: Logger,
): Promise<Sandbox> {
  const { host, seed: randomSeed, receiptsTo, scripts } = options;
  const { knex } = database;
  const chance = createChance(randomSeed);
  const faults = createFaults(chance.faults);
  const posted = createRecording<PostedReceipt>();
  const received = createRecording<ReceivedRequest>();
  const numbers = createNumbers();
  numbers.replace(scripts);
  const document = loadDocument();
  const front = await startFront(
    {
      faults,
      received,
      operationAt: createOperationFinder(document.published),
      preferredResponse: createPreferredResponse(document),
      makeWhatIsNamed: options.anyId ? createAnyId(knex) : async () => {},
    },
    { host, port: options.port, settings: { host: '--host', port: '--port' } },
  );
  const baseUrl = `http://${host}:${front.port}`;
  const smscAddress = { host, settings: { host: '--host', port: '--smpp-port' } };
  const smsc =
    options.smppPort === undefined
      ? undefined
      : await startSimulatedSmsc({ ...smscAddress, port: options.smppPort }, numbers.scripts.sms, logger);
  const provider =
    options.providerPort === undefined
      ? undefined
      : await startSimulatedProvider(
          { host, port: options.providerPort, settings: { host: '--host', port: '--provider-port' } },
          { scriptOf: numbers.scripts.sms, callbackUrl: options.providerCallback, logger },
        );

  await migrate(knex);
  const clock = createSandboxClock(knex);
  const config = sandboxConfig();
  const secrets = await openSecrets(config, knex);
  const description = { ...(await seed(knex, secrets, baseUrl)), baseUrl, seed: randomSeed };
  const context = contextOf({ config, clock, logger, database, secrets });
  const callbacks = callbacksOf(clock, { faults, posted, receiptsTo });
  const workerOptions = { scripts: numbers.scripts, callbacks, random: chance.retries };
  const worker = await startWorker(context, workerOptions, () => false);
  // Only front reaches the service, on a port of this machine.
  const clients = await listen({ host: '127.0.0.1', port: 0, connectionLimit });
  const api = await startApi(context, { clients, publicUrl: baseUrl }, { wake: worker.wake });

  const travel = createTravel({ clock, findDue: () => findDue(knex), settle: worker.settle });
  const control = await startControl(context, {
    describe: () => description,
    numbers,
    clock,
    travel,
    messages: createMessages(knex),
    hear: createHear({ knex, receive: createReceive(inboundOf(context, worker.wake.receipts)), smsc }),
    enableQuietHours: async (countries) => {
      if (await enableQuietHours(knex, countries)) await travel(factsLifetimeMs);
    },
    setPumpingGuard: async (guard) => {
      if (await setPumpingGuard(knex, guard)) await travel(factsLifetimeMs);
    },
    posted,
    received,
    faults,
    reset: async () => {
      faults.clear();
      numbers.replace(scripts);
      await worker.settle();
      await resetActivity(knex, secrets);
      // Caches forget that they were enabled.
      const wasGuarded = await setPumpingGuard(knex, 'Off');
      if ((await enableQuietHours(knex, [])) || wasGuarded) await clock.moveTo(clock.now() + factsLifetimeMs);
      await clock.reset();
      posted.clear();
      received.clear();
      chance.reset();
    },
  });
  front.passTo({ service: clients.port, control: control.port });
  context.readiness.started(async () => undefined);
  return {
    description,
    smppPort: smsc?.port,
    providerPort: provider?.port,
    stop: async () => {
      await front.close();
      await smsc?.close();
      await provider?.close();
      await control.stop({ drainMs: 0, graceMs: 1_000 });
      await api.stop();
      await worker.stop();
      await database.close();
    },
  };
}

/** The demo with the published secrets, as far as tests need to know it. */
async function seed(
  knex: Knex,
  secrets: Secrets,
  baseUrl: string,
): Promise<Omit<SandboxDescription, 'baseUrl' | 'seed'>> {
  const published = {
    clientSecret: () => publishedSecrets.clientSecret,
    signingSecret: () => publishedSecrets.signingSecret,
  };
  const demo = await seedDemo(knex, secrets, { baseUrl }, published);
  if (demo === undefined) throw new Error('the database of a sandbox must be empty');
  return {
    clientId: demo.clientId,
    clientSecret: demo.clientSecret,
    signingSecret: demo.signingSecret,
    serviceId: demo.smsServiceId,
    campaignId: demo.campaigns.open,
    chatAppServiceId: demo.chatAppServiceId,
    phoneNumberIds: [...demo.phoneNumberIds],
  };
}

function contextOf(
  parts: Pick<ProcessContext, 'config' | 'clock' | 'logger' | 'database' | 'secrets'>,
): ProcessContext {
  const { clock, logger, database } = parts;
  const registry = new Registry();
  return {
    ...parts,
    queue: createQueue(database.knex),
    registry,
    events: createEvents(registry, logger),
    readiness: createReadiness(clock),
    pace: paceFor(database, logger),
  };
}

function callbacksOf(
  clock: Clock,
  more: Pick<CallbackDependencies, 'faults' | 'posted' | 'receiptsTo'>,
): CallbackClient {
  return createSandboxCallbacks({
    client: createCallbackClient({ destinations: createDestinations({ allowLoopback: true }) }),
    clock,
    signingSecret: publishedSecrets.signingSecret,
    ...more,
  });
}

/** The same for the same seed, also after a reset. */
function createChance(seed: number) {
  let faults = createRandom(seed);
  let retries = createRandom(seed);
  return {
    faults: () => faults(),
    retries: () => retries(),
    reset: () => {
      faults = createRandom(seed);
      retries = createRandom(seed);
    },
  };
}

/** The messages since they were last cleared. */
function createMessages(knex: Knex): ControlDependencies['messages'] {
  let clearedId = '0';
  return {
    list: (filter) => listMessages(knex, { ...filter, afterId: clearedId }),
    clear: async () => {
      clearedId = await newestMessageId(knex);
    },
  };
}

function sandboxConfig(): Config {
  return {
    ...readConfig({ NODE_ENV: 'development' }),
    secretKey: randomBytes(32).toString('base64'),
    allowLoopbackCallbacks: true,
    // Its database is in memory: nothing of it stays.
    archiveUrl: undefined,
    shutdownGraceMs: 2_000,
  };
}

/** The control API is not for browsers, and has nothing to guard. */
function startControl(
  { clock, logger, events }: ProcessContext,
  dependencies: ControlDependencies,
): Promise<ListeningServer> {
  return startOpenServer<SandboxDocument>({
    document: loadDocument('sandbox'),
    handlers: createControlHandlers(dependencies),
    callerOf: () => {
      throw new Error('the control API has no callers');
    },
    checkedResponses: 1,
    clock,
    logger,
    events,
  });
}
