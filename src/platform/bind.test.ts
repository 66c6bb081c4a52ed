/** A server that cannot bind its address says which setting to change, before a start has changed anything. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { bind } from './bind.ts';
import { copyEmptyDatabase } from './db/testing.ts';

const settings = { host: 'METRICS_HOST', port: 'METRICS_PORT' };
let other: Server;
let port: number;

beforeEach(async () => {
  other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  ({ port } = other.address() as AddressInfo);
});
afterEach(() => {
  other.close();
});

test('port 0: the port that was picked', async () => {
  const server = createServer();
  const picked = await bind(server, { host: '127.0.0.1', port: 0, settings });
  expect(server.address()).toMatchObject({ port: picked });
  server.close();
});

test('an address of another machine', async () => {
  await expect(bind(createServer(), { host: '192.0.2.1', port: 0, settings })).rejects.toThrow(
    '192.0.2.1 is not an address of this machine: set METRICS_HOST to one that is',
  );
});

test.each([
  ['PORT', 'leaves the demo, whose secrets are shown once, to the next start', 'demo.json'],
  ['METRICS_PORT', 'writes nothing', ''],
])('a service whose %s is in use %s', async (setting, _what, unwritten) => {
  const directory = mkdtempSync(join(tmpdir(), 'tarishi-port-'));
  if (unwritten !== '') await copyEmptyDatabase(directory);
  const { code, errors } = await start({ DATA_DIR: directory, PORT: '0', [setting]: String(port) });
  expect({ code, errors }).toEqual({
    code: 1,
    errors: `tarishi: port ${port} on 127.0.0.1 is already in use: stop the process that uses it, or set ${setting} to another port\n`,
  });
  expect(readdirSync(directory).filter((name) => name.startsWith(unwritten))).toEqual([]);
  rmSync(directory, { recursive: true, force: true });
});

/** Runs a service that cannot start. */
async function start(settings: Record<string, string>) {
  const service = spawn(process.execPath, ['src/main.ts', 'start'], {
    cwd: new URL('../..', import.meta.url),
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  service.stderr.on('data', (bytes) => {
    errors += bytes;
  });
  const [code] = await once(service, 'close');
  return { code, errors };
}
