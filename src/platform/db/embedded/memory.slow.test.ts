/** The cost of starting the embedded database: the memory of its thread, and where the files of a new one come from. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { DatabaseFiles } from './embedded-worker.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'tarishi-embedded-'));
/** About 330 are usual, at times 540; optimizing the parser alone would add 600. */
const mostMegabytes = 750;

/** As `npm ci` does; nothing happens if it has been done. */
beforeAll(() => void execFileSync(process.execPath, ['bin/empty-database.js'], { cwd: root }), 60_000);
afterAll(() => rmSync(directory, { recursive: true }));

/** Opens a database in a process of its own, with what is hot compiled at once instead of some time later. */
function open(dataDirectory: string): { system: string; megabytes: number } {
  const script = `
    const { openDatabase } = await import('../../src/platform/db/knex.ts');
    const { knex, close } = await openDatabase(
      { databaseUrl: undefined, dataDirectory: ${JSON.stringify(dataDirectory)}, poolSize: 1 },
      (await import('pino')).pino({ level: 'silent' }),
      (error) => { throw error; },
    );
    for (let count = 0; count < 100; count += 1) await knex.raw('select ' + count);
    const { rows } = await knex.raw('select system_identifier::text as system from pg_control_system()');
    await close();
    console.log(JSON.stringify({ ...rows[0], megabytes: process.resourceUsage().maxRSS / 1024 }));`;
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const file = join(cache, `open-embedded-${process.pid}.mjs`);
  writeFileSync(file, script);
  try {
    return JSON.parse(
      execFileSync(process.execPath, ['--wasm-sync-tier-up', file], { cwd: root, encoding: 'utf8' }),
    );
  } finally {
    rmSync(file);
  }
}

test('a new database has the files that were kept, and one whose code is hot takes no more memory', () => {
  const [one, other] = [open(join(directory, 'one')), open(join(directory, 'other'))];
  // Files that initdb makes have an identifier of their own.
  expect(one.system).toBe(other.system);
  expect(Math.max(one.megabytes, other.megabytes)).toBeLessThan(mostMegabytes);
});

test('a new database without the kept files opens too', async () => {
  const worker = new Worker(new URL('embedded-worker.ts', import.meta.url), {
    workerData: { directory: undefined, emptyFiles: undefined } satisfies DatabaseFiles,
  });
  try {
    expect(await once(worker, 'message')).toStrictEqual(['ready']);
  } finally {
    await worker.terminate();
  }
});

test('the thread keeps nothing of finished statements', async () => {
  const thread = new Worker(new URL('./embedded-worker.ts', import.meta.url), {
    workerData: {},
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  });
  // Such a thread dies when it runs out of memory, and `once` rejects.
  await once(thread, 'message');
  const bytes = simpleQuery("select repeat('x', 1000) from generate_series(1, 10000)");
  let answered = 0;
  for (let count = 0; count < 15; count += 1) {
    thread.postMessage({ connection: 0, bytes });
    const [answer] = await once(thread, 'message');
    answered += answer.bytes.length;
  }
  expect(answered).toBeGreaterThan(150_000_000);
  thread.postMessage('close');
  await once(thread, 'exit');
});

/** A Query message of PostgreSQL's protocol. */
function simpleQuery(sql: string): Uint8Array {
  const head = Buffer.from('Q\0\0\0\0');
  head.writeInt32BE(sql.length + 5, 1);
  return new Uint8Array(Buffer.concat([head, Buffer.from(`${sql}\0`)]));
}
