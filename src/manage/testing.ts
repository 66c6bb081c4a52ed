/** A database with management functions for tests: one for all tests of a file. */
import { randomBytes } from 'node:crypto';
import type { Database } from '../platform/db/knex.ts';
import { openedForAll } from '../platform/db/opened-testing.ts';
import { openTestDatabase } from '../platform/db/testing.ts';
import { type Fault, ManagementError, textOf } from '../platform/errors/management.ts';
import { createSecrets } from '../platform/secrets/secrets.ts';
import type { Management } from './management.ts';

export interface Managed {
  database: Database;
  /** As an operator at the command line at 2027-01-01T00:00:00Z. */
  management: Management;
  secrets: ReturnType<typeof createSecrets>;
}

export async function openManaged(databaseUrl: string | undefined): Promise<Managed> {
  const database = await openTestDatabase(databaseUrl);
  const secrets = createSecrets(randomBytes(32));
  return {
    database,
    secrets,
    management: {
      knex: database.knex,
      clock: { now: () => Date.UTC(2027, 0, 1) },
      actor: { kind: 'command line', name: 'asha' },
      team: undefined,
      trustedIssuers: ['https://id.example'],
      scopes: () => ['message.sms.send.oneway'],
      // A real key is checked against the database: in a transaction of the embedded one it would wait for itself.
      secrets: async () => {
        await database.knex.raw('select 1');
        return secrets;
      },
    },
  };
}

/** The same for all tests of a file. */
export const testManaged = (): Managed =>
  openedForAll(
    () => openManaged(process.env.DATABASE_URL),
    ({ database }) => database.close(),
  );

/** The sentences of the faults that a change is rejected with. */
export async function sentencesOf(change: Promise<unknown>): Promise<string[]> {
  return (await faultsOf(change)).map(textOf);
}

/** The faults that a change is rejected with; none if it is accepted. */
export async function faultsOf(change: Promise<unknown>): Promise<readonly Fault[]> {
  try {
    await change;
  } catch (error) {
    if (error instanceof ManagementError) return error.faults;
    throw error;
  }
  return [];
}
