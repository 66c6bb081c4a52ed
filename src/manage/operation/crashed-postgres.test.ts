/** After a crash of PostgreSQL, which empties some tables and says so nowhere, the doctor finds nothing. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../platform/db/knex.ts';
import { openTestDatabase } from '../../platform/db/testing.ts';
import { shortenedFiles } from './doctor-repository.ts';

const onPostgres = process.env.DATABASE_URL === undefined ? test.skip : test;
if (process.env.DATABASE_URL === undefined)
  process.stdout.write('skipped without DATABASE_URL: the crash of a PostgreSQL\n');

let server: ChildProcess | undefined;
let database: Database;

/** A server of its own: all others would lose their connections too. */
beforeAll(async () => {
  if (process.env.DATABASE_URL === undefined) return;
  const { DATABASE_URL: _shared, ...env } = process.env;
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const words = ['sh', '-c', 'read -r line'];
  server = spawn('.ci/with-postgres', words, { cwd: root, env, stdio: ['pipe', 'ignore', 'pipe'] });
  if (server.stderr === null) throw new Error('with-postgres says nothing');
  for await (const line of createInterface({ input: server.stderr })) {
    const [url] = /postgres:\S+/.exec(line) ?? [];
    if (url === undefined) continue;
    database = await openTestDatabase(url);
    break;
  }
});
afterAll(async () => {
  if (server === undefined) return;
  await database.close();
  const ended = once(server, 'exit');
  server.stdin?.end();
  await ended;
});

/** What happens when the kernel kills one of its processes: all sessions end, and it recovers. */
async function crash(): Promise<void> {
  const { knex } = database;
  const { rows } = await knex.raw<{ rows: { pid: number }[] }>('select pg_backend_pid() as pid');
  process.kill(Number(rows[0]?.pid), 'SIGKILL');
  for (;;) {
    const left = await knex('rate_windows').catch(() => undefined);
    if (left?.length === 0) return;
    await delay(20);
  }
}

onPostgres('no table counts as shortened, those that were emptied too', async () => {
  const { knex } = database;
  await knex('rate_windows').insert({ key: 'acme' });
  await knex('write_probes').insert({ id: 1, filler: 'x' });
  await knex.raw('vacuum analyze');
  await knex.raw('checkpoint');
  const pages = async () =>
    (await knex('pg_class').where({ relname: 'rate_windows' }).first('relpages')).relpages;
  expect(await pages()).toBeGreaterThan(0);
  await crash();
  expect([await pages(), await shortenedFiles(knex)]).toEqual([1, []]);
});
