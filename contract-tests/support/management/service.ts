/** Runs the management listener in this process, on a fresh database, for tests. */
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createSecrets } from '../../../src/clients/secrets.ts';
import { systemClock } from '../../../src/clock.ts';
import { readConfig } from '../../../src/config.ts';
import { openTestDatabase } from '../../../src/db/testing.ts';
import { createEvents } from '../../../src/events.ts';
import { loadDocument, scopesOf } from '../../../src/http/contract/document.ts';
import { createUser } from '../../../src/manage/access/users.ts';
import type { Management } from '../../../src/manage/management.ts';
import type { Role } from '../../../src/manage/rules.ts';
import type { Foundation } from '../../../src/process/dependencies.ts';
import { managementPath, startManagement } from '../../../src/process/management.ts';
import { type CallManagement, callerAt } from './caller.ts';

export interface ManagementService {
  url: string;
  management: Management;
  /** Adds a user; calls as that user. */
  user: (id: string, user: { role: Role; teamId?: string }) => Promise<CallManagement>;
  /** Calls with this access key. */
  as: (key: string | undefined) => CallManagement;
  close: () => Promise<void>;
}

/** `clock`: what limits and caches measure with. */
export async function startManagementService(
  clock: Foundation['clock'] = systemClock,
): Promise<ManagementService> {
  const database = await openTestDatabase(process.env.DATABASE_URL);
  const logger = pino({ level: 'silent' });
  const registry = new Registry();
  const secrets = createSecrets(randomBytes(32));
  const foundation = {
    config: readConfig({ SHUTDOWN_GRACE_MS: '1000' }),
    clock,
    logger,
    database,
    secrets,
    registry,
    events: createEvents(registry, logger),
  } as Foundation;
  const listener = await startManagement(foundation, scopesOf(loadDocument()));
  const url = `http://127.0.0.1:${listener.port}${managementPath}`;
  const management: Management = {
    knex: database.knex,
    clock,
    actor: { kind: 'command line', name: 'test' },
    team: undefined,
    secrets: async () => secrets,
  };
  const as = (key: string | undefined) => callerAt(url, key);
  return {
    url,
    management,
    as,
    user: async (id, { role, teamId = null }) => as((await createUser(management, { id, role, teamId })).key),
    close: async () => {
      await listener.stop();
      await database.close();
    },
  };
}
