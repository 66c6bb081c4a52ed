/** A server that cannot bind its address says which setting to change, before a start has changed anything. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
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

test.each<[string, () => { host: string; port: number }, () => string]>([
  [
    'a port that is in use',
    () => ({ host: '127.0.0.1', port }),
    () =>
      `port ${port} on 127.0.0.1 is already in use: stop the process that uses it, or set METRICS_PORT to another port`,
  ],
  [
    'an address of another machine',
    () => ({ host: '192.0.2.1', port: 0 }),
    () => '192.0.2.1 is not an address of this machine: set METRICS_HOST to one that is',
  ],
])('%s', async (_what, address, sentence) => {
  await expect(bind(createServer(), { ...address(), settings })).rejects.toThrow(sentence());
});

test('a service whose port is in use leaves the demo, whose secrets are shown once, to the next start', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tarishi-port-'));
  await copyEmptyDatabase(directory);
  const { code, errors } = await start({ DATA_DIR: directory, PORT: String(port) });
  expect({ code, errors }).toEqual({
    code: 1,
    errors: `tarishi: port ${port} on 127.0.0.1 is already in use: stop the process that uses it, or set PORT to another port\n`,
  });
  expect(existsSync(join(directory, 'demo.json'))).toBe(false);
  rmSync(directory, { recursive: true, force: true });
});

test('a service whose METRICS_PORT is in use writes nothing', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tarishi-port-'));
  const { code, errors } = await start({ DATA_DIR: directory, PORT: '0', METRICS_PORT: String(port) });
  expect({ code, errors }).toEqual({
    code: 1,
    errors: `tarishi: port ${port} on 127.0.0.1 is already in use: stop the process that uses it, or set METRICS_PORT to another port\n`,
  });
  expect(readdirSync(directory)).toEqual([]);
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
