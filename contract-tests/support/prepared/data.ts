/** The data that a test's service starts with: current tables, a secret key, an owner for the management API, and the demo. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { type Demo, readDemoFile, writeDemoFile } from '../../../src/demo/file.ts';
import { seedDemo } from '../../../src/demo/seed.ts';
import { createUser } from '../../../src/manage/access/users.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { keptDirectory } from '../../../src/platform/db/kept-testing.ts';
import { openDatabase } from '../../../src/platform/db/knex.ts';
import { migrate } from '../../../src/platform/db/migrate.ts';
import { copyEmptyDatabase } from '../../../src/platform/db/testing.ts';
import type { Secrets } from '../../../src/platform/secrets/secrets.ts';
import { openSecrets } from '../../../src/process/secret-key.ts';

/** Where the data of a service are. */
export interface Place {
  dataDirectory: string;
  /** Undefined: the embedded database in the directory. */
  databaseUrl: string | undefined;
}

/** The data before the service starts for the first time. */
export interface Prepared {
  knex: Knex;
  demo: Demo;
  secrets: Secrets;
}

export type Prepare = (prepared: Prepared) => Promise<unknown>;

/** What the prepared data depend on. */
const sources = [
  'package-lock.json',
  'generated/openapi.yaml',
  'src/platform/db',
  'src/platform/secrets',
  'src/access',
  'src/manage',
  'src/demo',
  'src/products/chatapp/templates',
  'src/process/secret-key.ts',
];

/** Fills an empty data directory, or an empty PostgreSQL database and the directory; returns the owner's key. */
export async function prepareData(place: Place, prepare: Prepare | undefined): Promise<string> {
  const { dataDirectory, databaseUrl } = place;
  if (databaseUrl === undefined) {
    // Filling takes seconds, a copy does not.
    const kept = await keptDirectory({ name: 'service', sources, make: fillKept });
    cpSync(join(kept, 'data'), dataDirectory, { recursive: true });
  } else {
    await fill(place);
  }
  if (prepare !== undefined)
    await opened(place, async (knex, secrets) =>
      prepare({ knex, secrets: await secrets(), demo: readDemoFile(dataDirectory) }),
    );
  return readFileSync(ownerKeyFile(dataDirectory), 'utf8');
}

const ownerKeyFile = (dataDirectory: string) => join(dataDirectory, 'owner-key');

async function fillKept(directory: string): Promise<void> {
  const dataDirectory = join(directory, 'data');
  await copyEmptyDatabase(dataDirectory);
  await fill({ dataDirectory, databaseUrl: undefined });
}

function fill(place: Place): Promise<void> {
  const { dataDirectory } = place;
  return opened(place, async (knex, secrets) => {
    await migrate(knex);
    const actor = { kind: 'command line', name: 'test' } as const;
    const management = {
      knex,
      clock: systemClock,
      actor,
      team: undefined,
      trustedIssuers: [],
      scopes: () => [],
      secrets,
    };
    const owner = await createUser(management, { id: 'owner', role: 'owner', teamId: null });
    writeFileSync(ownerKeyFile(dataDirectory), owner.accessKey);
    // The service puts its own addresses there when it starts.
    const demo = await seedDemo(knex, await secrets(), { baseUrl: 'unknown', managementUrl: 'unknown' });
    if (demo !== undefined) writeDemoFile(dataDirectory, demo);
  });
}

async function opened<Result>(
  { dataDirectory, databaseUrl }: Place,
  use: (knex: Knex, secrets: () => Promise<Secrets>) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(
    { databaseUrl, dataDirectory, poolSize: 2 },
    pino({ level: 'silent' }),
    (error) => {
      throw error;
    },
  );
  try {
    const { knex } = database;
    return await use(knex, () => openSecrets({ secretKey: undefined, dataDirectory }, knex));
  } finally {
    await database.close();
  }
}
