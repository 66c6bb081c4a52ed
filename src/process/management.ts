/** Builds the management API: on a port with its reference, or in memory for the command line where no service runs. */
import type { Duplex } from 'node:stream';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { ManagementDocument } from '../../handlers/management/operation.ts';
import { createManagementHandlers } from '../../handlers/management/operations.ts';
import { createPageKeys } from '../console/api/page-keys.ts';
import { mountConsole } from '../console/mount.ts';
import { type ContractDocument, loadDocument, scopesOf } from '../contract/document.ts';
import { announce } from '../delivery/announce.ts';
import { createCancel } from '../delivery/cancel/cancel.ts';
import { steadyPace } from '../delivery/pace.ts';
import type { Credentials } from '../docs/site/personal.ts';
import { listenInMemory } from '../http/connections/in-memory.ts';
import type { Listener } from '../http/connections/listener.ts';
import { type ContractDependencies, createContract } from '../http/contract/contract.ts';
import { createGuard, createGuardOfCalls, createGuardOfSearches, type Guard } from '../http/guard.ts';
import { createDocsRoutes } from '../http/routes/docs-routes.ts';
import { createDocumentRoutes, createReceiptDocumentRoutes } from '../http/routes/document-routes.ts';
import { type HttpServer, type ServerDependencies, startServer } from '../http/server.ts';
import { traced } from '../http/traces.ts';
import { createUserAuthentication } from '../manage/access/authentication.ts';
import { userOfKey } from '../manage/access/users.ts';
import { systemClock } from '../platform/clock.ts';
import type { Database } from '../platform/db/knex.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';
import { flushSpans } from '../platform/tracing.ts';
import { type CountryCode, createPhoneParser, orUserId } from '../products/phone/parse.ts';
import { createQueue } from '../queue/queue.ts';
import type { Config } from './config.ts';
import { createConsequences } from './consequences.ts';
import type { ProcessContext, Running } from './context.ts';
import { createEvents } from './events.ts';
import type { ApiListeners } from './listeners.ts';

export const managementPath = '/management';

/**
 * `scopes`: those that the public document has, which clients may get. `findDemo`: what a demo has for
 * browsers on this machine, with the access key of its owner, as whom they may sign in to the console. `sendBurst`: of a
 * demo, through its simulated networks.
 */
export async function startManagement(
  context: ProcessContext,
  scopes: readonly string[],
  { management: listener, publicUrl }: Pick<ApiListeners, 'management' | 'publicUrl'>,
  findDemo: () => (Credentials & { accessKey?: string | undefined }) | undefined = () => undefined,
  sendBurst?: () => Promise<number>,
): Promise<Running> {
  const { config, clock, logger, database, secrets } = context;
  const { knex } = database;
  const document = loadDocument('management');
  const demoKey = () => findDemo()?.accessKey;
  const docs = createDocsRoutes({
    document,
    basePath: managementPath,
    publicUrl,
    demoCredentials: findDemo,
    demoKey,
  });
  const findUser = (key: string) => userOfKey({ knex, secrets }, key);
  const admitCall = createGuardOfCalls(clock);
  const authenticate = createUserAuthentication(findUser, admitCall, clock);
  const keys = createPageKeys(admitCall);
  const memory = listenInMemory();
  const guard = createGuard(clock);
  const server = await serveManagement(context, {
    document,
    scopes: () => scopes,
    authenticate: async (credentials) => keys.operatorOf(credentials) ?? authenticate(credentials),
    pages: [createDocumentRoutes(document), createReceiptDocumentRoutes(), docs.router],
    showNotFound: docs.showNotFound,
    console: mountConsole({
      visitors: {
        knex,
        secrets,
        clock,
        logger,
        guard,
        gate: {
          host: config.managementHost,
          consoleUrl: config.consoleUrl,
          trustedProxyHops: config.trustedProxyHops,
        },
        sso: config.sso,
        demoKey,
        timeZone: timeZoneOf(config.defaultRegion),
      },
      url: `${memory.url}${managementPath}`,
      connect: memory.connect,
      publicUrl,
      sendBurst,
      limitWaits: context.database.limitWaits,
      keys,
      parsePhone: orUserId(createPhoneParser(config.defaultRegion as CountryCode)),
      clock,
      logger,
    }),
    guard,
    limitWaits: context.database.limitWaits,
    listener: servingBoth(listener, memory),
  });
  return {
    stop: () => server.stop({ drainMs: config.drainDelayMs, graceMs: config.shutdownGraceMs / 2 }),
  };
}

/** The first one of a country with several. */
function timeZoneOf(region: string): string {
  const locale: Intl.Locale & { getTimeZones?: () => string[] } = new Intl.Locale(`und-${region}`);
  return locale.getTimeZones?.()[0] ?? 'UTC';
}

/** The pages of the console call the API that they stand beside. */
function servingBoth(listener: Listener, memory: Listener): Listener {
  return {
    ...listener,
    serve: (respond) => {
      listener.serve(respond);
      memory.serve(respond);
    },
  };
}

export interface ServedManagement
  extends Pick<ServerDependencies, 'pages' | 'showNotFound' | 'console' | 'limitWaits'> {
  document: ContractDocument;
  scopes: () => readonly string[];
  authenticate: ContractDependencies<ManagementDocument>['authenticate'];
  guard?: Guard;
  listener: Listener;
}

/** What a server of the management API needs of its process. */
export type ManagementContext = Pick<
  ProcessContext,
  'config' | 'clock' | 'logger' | 'database' | 'secrets' | 'registry' | 'events' | 'pace'
>;

/** The same way for every caller: over a port, or from the command line in its own process. */
async function serveManagement(
  { config, clock, logger, database, secrets, registry, events, pace }: ManagementContext,
  { document, scopes, authenticate, guard = createGuard(clock), listener, ...shown }: ServedManagement,
): Promise<HttpServer> {
  const contract = await createContract<ManagementDocument>({
    document,
    handlers: createManagementHandlers({
      admitBlindSearch: createGuardOfSearches(clock),
      knex: database.knex,
      clock,
      secrets: async () => secrets,
      trustedIssuers: config.trustedIssuers.map(({ issuer }) => issuer),
      sendersOpen: config.senders === 'open',
      scopes,
      cancel: createCancel({
        knex: database.knex,
        consequences: createConsequences({ config, queue: createQueue(database.knex), secrets }),
        onReached: (reached) => announce(reached, { events, onReceipts: () => {} }),
      }),
    }),
    authenticate,
    guard,
    checkedResponses: config.checkedResponses,
    compilesLate: true,
    onUndocumented: (operationId, fault) => {
      events.responseUndocumented(operationId, fault);
      if (!config.production)
        throw new Error(`${operationId} returned a response that is not documented: ${fault}`);
    },
  });
  return startServer(
    {
      clock,
      logger,
      registry,
      events,
      trustedProxyHops: config.trustedProxyHops,
      guard,
      ...shown,
      contract: { ...contract, serve: traced(contract.serve) },
      basePath: managementPath,
      onChange: pace.touch,
    },
    listener,
  );
}

export interface OperatorOfMachine {
  config: Config;
  database: Database;
  secrets: Secrets;
  /** The management document. */
  document: ContractDocument;
  /** The name in the audit log of the user of this machine, who may do everything. */
  name: string;
}

export interface ManagementInMemory {
  url: string;
  /** Each connection takes one request. */
  connect: () => Duplex;
  close: () => Promise<void>;
}

export async function serveManagementInMemory({
  config,
  database,
  secrets,
  document,
  name,
}: OperatorOfMachine): Promise<ManagementInMemory> {
  const listener = listenInMemory();
  const registry = new Registry();
  // Only what the response does not say: it names the faults of the call itself.
  const logger = pino({ level: 'error', base: null }, pino.destination({ fd: 2, sync: true }));
  await serveManagement(
    {
      config,
      clock: systemClock,
      logger,
      database,
      secrets,
      registry,
      events: createEvents(registry, logger),
      pace: steadyPace,
    },
    {
      document,
      scopes: () => scopesOf(loadDocument()),
      authenticate: async () => ({ kind: 'command line', userId: name, teamId: undefined, role: 'owner' }),
      pages: [],
      listener,
    },
  );
  return {
    url: `${listener.url}${managementPath}`,
    connect: listener.connect,
    close: async () => {
      await listener.close({ idleMs: 0, graceMs: 0 });
      await flushSpans();
    },
  };
}
