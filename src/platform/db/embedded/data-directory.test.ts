/** What a data directory must contain to be opened, and who else may read it. */
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { writeDemoFile } from '../../../demo/file.ts';
import { openSecrets } from '../../../process/secret-key.ts';
import { openDatabase } from '../knex.ts';
import { migrate } from '../migrate.ts';
import { copyEmptyDatabase } from '../testing.ts';

const root = mkdtempSync(join(tmpdir(), 'tarishi-directories-'));
let directory: string;
let count = 0;

beforeEach(() => {
  directory = join(root, String(count++));
  mkdirSync(directory);
});
afterAll(() => rmSync(root, { recursive: true }));

const open = () =>
  openDatabase(
    { databaseUrl: undefined, dataDirectory: directory, poolSize: 1 },
    pino({ level: 'silent' }),
    () => {},
  );
const refusal = async () => {
  const error = await open().then(
    () => undefined,
    (thrown: Error) => thrown.message,
  );
  return error?.replaceAll(directory, 'DATA');
};

test('in an existing directory that is open to all, others can neither read nor write files', async () => {
  chmodSync(directory, 0o755);
  await copyEmptyDatabase(directory);
  for (const name of readdirSync(join(directory, 'postgres'), { recursive: true, encoding: 'utf8' })) {
    const path = join(directory, 'postgres', name);
    chmodSync(path, lstatSync(path).isDirectory() ? 0o755 : 0o666);
  }
  const umask = process.umask(0o022);
  writeFileSync(join(directory, 'secret.key'), Buffer.alloc(32).toString('base64'), { mode: 0o644 });
  try {
    const database = await open();
    await migrate(database.knex);
    await openSecrets({ secretKey: undefined, dataDirectory: directory }, database.knex);
    writeDemoFile(directory, {} as never);
    await database.close();
  } finally {
    process.umask(umask);
  }
  const readable = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
    (name) => (lstatSync(join(directory, name)).mode & 0o077) !== 0,
  );
  expect(readable).toEqual([]);
});

describe('rejected, and left as it is', () => {
  let whole: string;
  beforeAll(async () => {
    whole = join(root, 'whole');
    mkdirSync(whole);
    await copyEmptyDatabase(whole);
  });
  beforeEach(() => cpSync(whole, directory, { recursive: true }));

  test.each(['PG_VERSION', 'global/pg_control', 'base'])('files of a database without %s', async (name) => {
    rmSync(join(directory, 'postgres', name), { recursive: true });
    expect(await refusal()).toBe(
      `the embedded database in DATA/postgres is incomplete: ${name} missing. Nothing was changed. Restore the ` +
        'whole data directory from a backup; to start with an empty database, set DATA_DIR to another directory',
    );
    expect(existsSync(join(directory, 'postgres', name))).toBe(false);
  });

  test.each(['secret.key', 'demo.json'])('%s without a database', async (name) => {
    rmSync(join(directory, 'postgres'), { recursive: true });
    writeFileSync(join(directory, name), '');
    expect(await refusal()).toBe(
      `DATA holds ${name} but no database: postgres/ is missing or empty. Restore it from the same backup; ` +
        `to start with an empty database, move ${name} away`,
    );
    expect(existsSync(join(directory, 'postgres'))).toBe(false);
  });

  test('a damaged database', async () => {
    truncateSync(join(directory, 'postgres/global/pg_control'), 10);
    expect(await refusal()).toMatch(
      /^the embedded database in DATA\/postgres cannot be opened, its files seem to be damaged \(.*\)\. Nothing was changed\./,
    );
  });
});

test('a first start that was cut short begins anew', async () => {
  mkdirSync(join(directory, 'postgres'));
  writeFileSync(join(directory, 'postgres/half'), '');
  writeFileSync(join(directory, 'postgres.unfinished'), '');
  await (await open()).close();
  expect(existsSync(join(directory, 'postgres/half'))).toBe(false);
  expect(existsSync(join(directory, 'postgres.unfinished'))).toBe(false);
});

describe('a directory that cannot be written is named with its setting', () => {
  const message = (fault: string) => new RegExp(`^DATA_DIR is .*, where nothing can be written: ${fault}`);

  test('below a link that leads nowhere', async () => {
    symlinkSync(join(directory, 'nowhere'), join(directory, 'link'));
    directory = join(directory, 'link', 'data');
    expect(await refusal()).toMatch(message('EEXIST'));
  });

  const linux = process.platform === 'linux' ? test : test.skip;
  // One takes no directories, the other no files; neither says so before it is tried.
  linux.each(['/proc/tarishi', '/proc/tarishi/data', '/proc'])('%s', async (place) => {
    directory = place;
    expect(await refusal()).toMatch(message('(ENOENT|.*EACCES)'));
  });
});

test('a directory is made with its parents, for its owner only', async () => {
  directory = join(directory, 'new', 'data');
  await (await open()).close();
  for (const made of [directory, dirname(directory)]) expect(lstatSync(made).mode & 0o777).toBe(0o700);
});
