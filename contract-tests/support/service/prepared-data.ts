/** The data that a test's service starts with: current tables, a secret key, and an owner for the management API. */
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { systemClock } from '../../../src/clock.ts';
import { openDatabase } from '../../../src/db/knex.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { copyEmptyDatabase } from '../../../src/db/testing.ts';
import { createUser } from '../../../src/manage/access/users.ts';
import { openSecrets } from '../../../src/process/secret-key.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));

/** What the prepared data depend on. */
const sources = ['package-lock.json', 'src/db', 'src/clients', 'src/manage', 'src/process/secret-key.ts'];

/** Fills an empty data directory, or an empty PostgreSQL database and the directory; returns the owner's key. */
export async function prepareData(dataDirectory: string, databaseUrl: string | undefined): Promise<string> {
  if (databaseUrl !== undefined) return fill(dataDirectory, databaseUrl);
  // Filling takes a second, a copy does not: the files are kept from one test run to the next.
  const kept = join(project, `node_modules/.cache/tarishi/service-${fingerprint()}`);
  if (!existsSync(kept)) await keep(kept);
  cpSync(join(kept, 'data'), dataDirectory, { recursive: true });
  return readFileSync(join(kept, 'owner-key'), 'utf8');
}

async function keep(kept: string): Promise<void> {
  mkdirSync(dirname(kept), { recursive: true });
  const own = mkdtempSync(`${kept}-`);
  const dataDirectory = join(own, 'data');
  mkdirSync(dataDirectory);
  await copyEmptyDatabase(dataDirectory);
  writeFileSync(join(own, 'owner-key'), await fill(dataDirectory, undefined));
  try {
    renameSync(own, kept);
  } catch (error) {
    // Another test process was first.
    if (!existsSync(kept)) throw error;
    rmSync(own, { recursive: true });
  }
}

async function fill(dataDirectory: string, databaseUrl: string | undefined): Promise<string> {
  const database = await openDatabase(
    { databaseUrl, dataDirectory, poolSize: 2 },
    pino({ level: 'silent' }),
    (error) => {
      throw error;
    },
  );
  try {
    const { knex } = database;
    await migrate(knex);
    const management = {
      knex,
      clock: systemClock,
      actor: { kind: 'command line', name: 'test' },
      team: undefined,
      secrets: () => openSecrets({ secretKey: undefined, dataDirectory }, knex),
    } as const;
    return (await createUser(management, { id: 'owner', role: 'owner', teamId: null })).key;
  } finally {
    await database.close();
  }
}

function fingerprint(): string {
  const hash = createHash('sha256');
  for (const source of sources) addSource(join(project, source), hash);
  return hash.digest('hex').slice(0, 16);
}

function addSource(path: string, hash: ReturnType<typeof createHash>): void {
  if (/\.[a-z]+$/.test(path)) hash.update(path).update(readFileSync(path));
  else for (const name of readdirSync(path).sort()) addSource(join(path, name), hash);
}
