/** The database of the runs: demo data at networks that the test plays, and the virtual time. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import type { Demo } from '../../../src/demo/file.ts';
import { seedDemo } from '../../../src/demo/seed.ts';
import { resetActivity } from '../../../src/partner/sandbox/reset-repository.ts';
import { embeddedFiles } from '../../../src/platform/db/embedded/data-directory.ts';
import { openEmbedded } from '../../../src/platform/db/embedded/embedded.ts';
import { type Database, onEmbedded, openDatabase } from '../../../src/platform/db/knex.ts';
import { migrate } from '../../../src/platform/db/migrate.ts';
import { copyEmptyDatabase, createFreshDatabase } from '../../../src/platform/db/testing.ts';
import { createSecrets, placeOf, type Secrets } from '../../../src/platform/secrets/secrets.ts';
import { recordFirstKey } from '../../../src/process/secret-key.ts';
import { state } from '../choke/database.ts';
import { watchLocks } from '../choke/locks.ts';
import { publicUrl } from './service.ts';

export interface Data {
  /** The test's own connections, where no fault strikes. */
  database: Database;
  /** Connections for one instance. */
  open: () => Promise<Database>;
  demo: Demo;
  secrets: Secrets;
  /** Where old rows leave for; what earlier runs have written stays. */
  archiveUrl: string;
  addConnector: (connector: NewConnector) => Promise<void>;
  /** Deletes what a run has left. */
  reset: () => Promise<void>;
  close: () => Promise<void>;
}

export interface NewConnector {
  name: string;
  kind: string;
  settings: object;
  secrets: Readonly<Record<string, string>>;
}

const silent = pino({ level: 'silent' });
const poolSize = 10;

/** `databaseUrl` is the test run's DATABASE_URL. */
export async function openData(
  databaseUrl: string | undefined,
  secretKey: string,
  connectors: readonly NewConnector[],
): Promise<Data> {
  const { open, remove } =
    databaseUrl === undefined ? await freshEmbedded() : await freshPostgres(databaseUrl);
  const database = await open();
  const { knex } = database;
  await migrate(knex);
  // The setting is told with each statement: time may move while somebody holds a transaction.
  await knex.raw(`create or replace function service_now() returns timestamptz language sql stable parallel safe
    as $body$ select to_timestamp(current_setting('faults.now')::float8) $body$`);
  const secrets = createSecrets(Buffer.from(secretKey, 'base64'));
  await recordFirstKey(knex, secrets);
  const demo = await seedDemo(knex, secrets, { baseUrl: publicUrl });
  if (demo === undefined) throw new Error('the database is not empty');
  const addConnector = async ({ name, kind, settings, secrets: own }: NewConnector) => {
    await knex('connectors').insert({
      name,
      kind,
      settings: JSON.stringify(settings),
      secrets: secrets.encrypt(JSON.stringify(own), placeOf.connectorSecrets(name)),
    });
  };
  for (const connector of connectors) await addConnector(connector);
  await knex('channels').update({ connector: 'smsc', bundle_connector: 'provider' });
  await knex('chatapp_numbers').update({ connector: 'meta' });
  const archive = mkdtempSync(join(tmpdir(), 'tarishi-faults-archive-'));
  return {
    database,
    open,
    demo,
    secrets,
    archiveUrl: pathToFileURL(archive).href,
    addConnector,
    reset: async () => {
      await resetActivity(knex, secrets);
      await knex('routes').delete();
      for (const table of ['ported_numbers', 'ported_import_parts', 'ported_imports'])
        await knex(table).delete();
      await knex('connectors').whereLike('name', 'first-%').delete();
      await knex('connector_states').delete();
      // The process of the life before had them.
      await knex('connector_leases').delete();
      await knex('quiet_hours').update({ enabled: false });
      // Its own life begins a round.
      await knex('archive').update({
        held_until: '-infinity',
        next_round_at: knex.raw(`service_now() + interval '1 hour'`),
      });
      await knex('services').update({ validity_seconds: null });
      await knex('connectors').update({
        paused: false,
        paused_reason: null,
        paused_until: null,
        paused_at: null,
      });
    },
    close: async () => {
      await database.close();
      await remove();
      rmSync(archive, { recursive: true });
    },
  };
}

async function freshPostgres(serverUrl: string) {
  const fresh = await createFreshDatabase(serverUrl);
  const settings = { databaseUrl: fresh.url, dataDirectory: undefined, poolSize, waits: true };
  const endWatch = await watchLocks(fresh.url);
  return {
    open: () => openDatabase(settings, silent, () => {}),
    remove: async () => {
      await endWatch();
      await fresh.drop();
    },
  };
}

async function freshEmbedded() {
  state.embedded = true;
  const directory = mkdtempSync(join(tmpdir(), 'tarishi-faults-'));
  await copyEmptyDatabase(directory);
  // Making the files may have opened another one.
  state.told = '';
  const embedded = await openEmbedded(embeddedFiles(directory), (error) => {
    throw error;
  });
  return {
    open: async () => onEmbedded(embedded, silent),
    remove: async () => {
      await embedded.close();
      rmSync(directory, { recursive: true });
    },
  };
}
