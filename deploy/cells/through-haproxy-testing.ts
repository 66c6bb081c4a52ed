/** Runs a command whose calls of TARISHI_URL go through HAProxy: `node through-haproxy-testing.ts COMMAND…`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/platform/free-port-testing.ts';
import { startHaproxy } from './haproxy-testing.ts';

const [command = '', ...words] = process.argv.slice(2);
const sandbox = process.env.TARISHI_URL ?? '';
const folder = mkdtempSync(join(tmpdir(), 'tarishi-haproxy-'));
const { baseUrl, stop } = await startHaproxy({
  port: await freePort(),
  folder,
  cells: [[sandbox], [sandbox]],
});
const child = spawn(command, words, { stdio: 'inherit', env: { ...process.env, TARISHI_URL: baseUrl } });
process.once('SIGTERM', () => child.kill('SIGTERM'));
const [code] = await once(child, 'exit');
await stop();
rmSync(folder, { recursive: true });
process.exit(code ?? 1);
