/** A port that is taken is told before a start shows anything. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { copyEmptyDatabase } from './db/testing.ts';
import { freePort } from './free-port.ts';

let taken: Server;
let port = 0;
let directory = '';

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tarishi-port-'));
  taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  port = (taken.address() as AddressInfo).port;
});
afterEach(() => {
  taken.close();
  rmSync(directory, { recursive: true, force: true });
});

test('any port is one that is not taken', async () => {
  expect(await freePort()).not.toBe(port);
});

test('a port that is taken is refused, and is free afterwards', async () => {
  await expect(freePort('127.0.0.1', port)).rejects.toThrow(`port ${port} of 127.0.0.1 is in use`);
  await once(taken.close(), 'close');
  expect(await freePort('127.0.0.1', port)).toBe(port);
});

test('the setting of the port is named', async () => {
  await expect(freePort('127.0.0.1', port, 'METRICS_PORT')).rejects.toThrow('METRICS_PORT sets another');
});

test('a service whose port is taken leaves its demo data, which is shown once, to the next start', async () => {
  await copyEmptyDatabase(directory);
  const service = spawn(process.execPath, ['src/main.ts', 'start'], {
    cwd: new URL('..', import.meta.url),
    env: { PATH: process.env.PATH, DATA_DIR: directory, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  service.stderr.on('data', (bytes) => {
    errors += bytes;
  });
  const [code] = await once(service, 'close');
  expect({ code, errors }).toEqual({
    code: 1,
    errors: `tarishi: port ${port} of 127.0.0.1 is in use; PORT sets another\n`,
  });
  expect(existsSync(join(directory, 'demo.json'))).toBe(false);
});
