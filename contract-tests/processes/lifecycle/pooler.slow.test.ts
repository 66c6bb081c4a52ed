/** Behind pgbouncer in transaction mode, where each transaction may be in another session, with DATABASE_SESSIONS=false. */
import { type ChildProcess, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createFreshDatabase, type FreshUrl } from '../../../src/platform/db/testing.ts';
import { freePort } from '../../../src/platform/free-port-testing.ts';
import { phones, toMany } from '../../support/requests/sms.ts';
import { call, tokenFor } from '../../support/service/api.ts';
import { type Beside, startProcess } from '../../support/service/deployment.ts';
import { describeOnPostgres } from '../../support/service/on-postgres.ts';

const serverUrl = process.env.DATABASE_URL;
const installed = (spawnSync('pgbouncer', ['--version']) as SpawnSyncReturns<Buffer>).error === undefined;
if (!installed) process.stderr.write('skipped: pgbouncer is not installed\n');
const onPostgres = installed ? describeOnPostgres('pgbouncer is for PostgreSQL') : describe.skip;

onPostgres('pgbouncer in transaction mode', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tarishi-pooler-'));
  let fresh: FreshUrl;
  let pooler: ChildProcess;
  let service: Beside;

  beforeAll(async () => {
    fresh = await createFreshDatabase(serverUrl ?? '');
    const port = await freePort();
    pooler = await startPooler(directory, fresh.url, port);
    const url = new URL(fresh.url);
    url.host = `127.0.0.1:${port}`;
    service = await startProcess('start', {
      DATA_DIR: directory,
      DATABASE_URL: url.href,
      DATABASE_SESSIONS: 'false',
      READ_RATE_LIMIT_PER_SECOND: '100000',
      RATE_LIMIT_PER_SECOND: '1000000',
    });
  });
  afterAll(async () => {
    await service?.kill();
    if (pooler !== undefined) {
      const ended = once(pooler, 'exit');
      pooler.kill('SIGKILL');
      await ended;
    }
    await fresh?.drop();
    rmSync(directory, { recursive: true });
  });

  test('requests at once are accepted, delivered and their balance kept', async () => {
    const demo = JSON.parse(readFileSync(join(directory, 'demo.json'), 'utf8'));
    const token = await tokenFor(service.baseUrl, demo);
    const send = () =>
      call(service.baseUrl, `/message/${demo.smsServiceId}`, { token, body: toMany(phones(3)) });
    const sent = (await Promise.all(Array.from({ length: 60 }, send))).concat(
      await Promise.all(Array.from({ length: 60 }, send)),
    );
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200]));
    for (const { body } of sent) {
      const states = async () => {
        const answer = await call(service.baseUrl, `/requests/${body.result.requestId}`, {
          token,
          method: 'GET',
        });
        expect(answer.status).toBe(200);
        return JSON.stringify(answer.body);
      };
      while (/"(Queued|Submitted)"/.test(await states())) await delay(100);
    }
    expect(service.output()).not.toMatch(/"level":[56]0/);
  });
});

/** Sessions are fewer than what the service opens, so that its transactions change between them. */
async function startPooler(directory: string, databaseUrl: string, port: number): Promise<ChildProcess> {
  const { hostname, port: serverPort, username } = new URL(databaseUrl);
  const file = join(directory, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${serverPort || 5432} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
server_round_robin = 1
`,
  );
  // It refuses to run as root, and its user must read the file.
  const isRoot = process.getuid?.() === 0;
  spawnSync('chmod', ['-R', 'a+rX', directory]);
  const pooler = spawn('pgbouncer', isRoot ? ['-u', 'nobody', file] : [file], { stdio: 'ignore' });
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const up = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (up) return pooler;
    if (pooler.exitCode !== null) throw new Error(`pgbouncer ended with ${pooler.exitCode}`);
    await delay(50);
  }
}
