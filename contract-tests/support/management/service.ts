/** Runs the management listener in this process, on a fresh database, for tests. */
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { loadDocument, scopesOf } from '../../../src/contract/document.ts';
import { steadyPace } from '../../../src/delivery/pace.ts';
import { listen } from '../../../src/http/connections/listener.ts';
import { createReadiness } from '../../../src/http/readiness.ts';
import { createUser } from '../../../src/manage/access/users.ts';
import type { Management } from '../../../src/manage/management.ts';
import type { Role } from '../../../src/manage/rules.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { openTestDatabase } from '../../../src/platform/db/testing.ts';
import { markDatabaseAway, saysDatabaseIsAway } from '../../../src/platform/errors/database-away.ts';
import { createSecrets } from '../../../src/platform/secrets/secrets.ts';
import { readConfig } from '../../../src/process/config.ts';
import type { ProcessContext } from '../../../src/process/context.ts';
import { createEvents } from '../../../src/process/events.ts';
import { managementPath, startManagement } from '../../../src/process/management.ts';
import { createQueue } from '../../../src/queue/queue.ts';
import { type CallManagement, callerAt } from './caller.ts';

export interface ManagementService {
  url: string;
  management: Management;
  /** For other parts of the service on the same database. */
  context: ProcessContext;
  /** Adds a user; calls as that user. */
  user: (id: string, user: { role: Role; teamId?: string }) => Promise<CallManagement>;
  /** Calls with this access key. */
  as: (key: string | undefined) => CallManagement;
  /** Every connection to the database fails with this error; undefined: none does. */
  breakDatabase: (error: Error | undefined) => void;
  close: () => Promise<void>;
}

export interface ServiceOptions {
  /** Of this listener, by its URL. */
  settings?: (url: string) => Readonly<Record<string, string>>;
  demoKey?: () => string | undefined;
  sendBurst?: () => Promise<number>;
}

/** A hundred times as fast as real time, because tests make more calls per second than a user may. */
export const hurried = { ...systemClock, elapsedMs: () => systemClock.elapsedMs() * 100 };

/** `clock`: what limits and caches measure with. */
export async function startManagementService(
  clock: ProcessContext['clock'] = hurried,
  { settings = () => ({}), demoKey, sendBurst }: ServiceOptions = {},
): Promise<ManagementService> {
  const database = await openTestDatabase(process.env.DATABASE_URL);
  const logger = pino({ level: 'silent' });
  const registry = new Registry();
  const secrets = createSecrets(randomBytes(32));
  const listener = await listen({ host: '127.0.0.1', port: 0, connectionLimit: 100 });
  const context: ProcessContext = {
    config: readConfig({ SHUTDOWN_GRACE_MS: '1000', ...settings(listener.url) }),
    clock,
    logger,
    database,
    secrets,
    registry,
    events: createEvents(registry, logger),
    pace: steadyPace,
    queue: createQueue(database.knex),
    readiness: createReadiness(clock),
  };
  const scopes = scopesOf(loadDocument());
  const server = await startManagement(
    context,
    scopes,
    { management: listener, publicUrl: listener.url },
    demoKey && (() => ({ clientId: 'demo', clientSecret: '', signingSecret: '', accessKey: demoKey() })),
    sendBurst,
  );
  const url = `${listener.url}${managementPath}`;
  const management: Management = {
    knex: database.knex,
    clock,
    actor: { kind: 'command line', name: 'test' },
    team: undefined,
    trustedIssuers: [],
    scopes: () => scopesOf(loadDocument()),
    secrets: async () => secrets,
  };
  const { client } = database.knex;
  const acquire = client.acquireConnection.bind(client);
  const as = (key: string | undefined) => callerAt(url, key);
  return {
    url,
    management,
    context,
    as,
    user: async (id, { role, teamId = null }) =>
      as((await createUser(management, { id, role, teamId })).accessKey),
    breakDatabase: (error) => {
      if (error !== undefined && saysDatabaseIsAway(error)) markDatabaseAway(error);
      client.acquireConnection = error === undefined ? acquire : () => Promise.reject(error);
    },
    close: async () => {
      await server.stop();
      await database.close();
    },
  };
}
