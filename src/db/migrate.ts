/** Brings the database's tables up to date, one migrator at a time. */
import type { Knex } from 'knex';
import * as sms from './migrations/0001_sms.ts';
import * as rateWindows from './migrations/0002_rate_windows.ts';
import * as products from './migrations/0003_products.ts';
import * as receiptsByOrigin from './migrations/0004_receipts_by_origin.ts';
import * as connectors from './migrations/0005_connectors.ts';
import * as chatApp from './migrations/0006_chatapp.ts';
import * as waitingJobs from './migrations/0007_waiting_jobs.ts';
import * as connectorStates from './migrations/0008_connector_states.ts';
import * as jobsOfMessages from './migrations/0009_jobs_of_messages.ts';
import * as partsSent from './migrations/0010_parts_sent.ts';
import * as data from './migrations/0011_data.ts';
import * as releasedAt from './migrations/0012_released_at.ts';
import * as smsService from './migrations/0013_sms_service.ts';
import * as doubtEnds from './migrations/0014_doubt_ends.ts';
import * as constantChecks from './migrations/0015_constant_checks.ts';
import * as quarantine from './migrations/0016_quarantine.ts';
import * as ownership from './migrations/0017_ownership.ts';
import * as writeProbes from './migrations/0018_write_probes.ts';
import * as receiptsByTeam from './migrations/0019_receipts_by_team.ts';
import * as clockSetBack from './migrations/0020_clock_set_back.ts';
import * as revocation from './migrations/0021_revocation.ts';
import * as approvalTimes from './migrations/0022_approval_times.ts';
import * as optionalParameters from './migrations/0023_optional_parameters.ts';
import * as issuersAndOrigins from './migrations/0024_issuers_and_origins.ts';
import * as serviceNow from './migrations/0025_service_now.ts';

/** Every migration ever released, in order. A released one is never edited. */
const migrations: Record<string, { up: (trx: Knex) => Promise<void> }> = {
  '0001_sms': sms,
  '0002_rate_windows': rateWindows,
  '0003_products': products,
  '0004_receipts_by_origin': receiptsByOrigin,
  '0005_connectors': connectors,
  '0006_chatapp': chatApp,
  '0007_waiting_jobs': waitingJobs,
  '0008_connector_states': connectorStates,
  '0009_jobs_of_messages': jobsOfMessages,
  '0010_parts_sent': partsSent,
  '0011_data': data,
  '0012_released_at': releasedAt,
  '0013_sms_service': smsService,
  '0014_doubt_ends': doubtEnds,
  '0015_constant_checks': constantChecks,
  '0016_quarantine': quarantine,
  '0017_ownership': ownership,
  '0018_write_probes': writeProbes,
  '0019_receipts_by_team': receiptsByTeam,
  '0020_clock_set_back': clockSetBack,
  '0021_revocation': revocation,
  '0022_approval_times': approvalTimes,
  '0023_optional_parameters': optionalParameters,
  '0024_issuers_and_origins': issuersAndOrigins,
  '0025_service_now': serviceNow,
};

/** Any number that nothing else in this database takes as an advisory lock. */
const migratorLock = 7_411_001;

/**
 * Applies what is missing. All of it is one transaction behind an advisory lock: a second migrator waits,
 * a killed one leaves nothing behind, not even Knex's own lock row.
 */
export async function migrate(knex: Knex): Promise<void> {
  await knex.transaction(async (trx) => {
    await trx.raw('select pg_advisory_xact_lock(?)', [migratorLock]);
    await trx.migrate.latest({
      disableTransactions: true,
      migrationSource: {
        getMigrations: async () => Object.keys(migrations),
        getMigrationName: (name: string) => name,
        getMigration: async (name: string) => {
          const migration = migrations[name];
          if (migration === undefined) throw new Error(`unknown migration ${name}`);
          return { up: migration.up, down: noWayBack };
        },
      },
    });
  });
}

/** Names of the migrations that this database has not seen. */
export async function pendingMigrations(knex: Knex): Promise<string[]> {
  if (!(await knex.schema.hasTable('knex_migrations'))) return Object.keys(migrations);
  const applied: string[] = await knex('knex_migrations').pluck('name');
  return Object.keys(migrations).filter((name) => !applied.includes(name));
}

async function noWayBack(): Promise<void> {
  throw new Error('migrations only go forward');
}
