/** The whole service where it may write to nothing but its data directory, without any rights: as the Compose file runs it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { call, tokenFor } from '../../contract-tests/support/service/api.ts';
import { readDemoFile } from '../../src/demo/file.ts';

const nobody = '65534';
const project = fileURLToPath(new URL('../..', import.meta.url));
const canConfine = process.platform === 'linux' && process.getuid?.() === 0;
if (!canConfine) process.stdout.write('skipped: needs root on Linux to make / read-only for a process\n');

(canConfine ? test : test.skip)(
  'it starts and sends with a read-only root and without capabilities',
  async () => {
    // Mounts of their own stay writable, and this is one.
    const dataDirectory = mkdtempSync('/dev/shm/tarishi-read-only-');
    chownSync(dataDirectory, Number(nobody), Number(nobody));
    const confined =
      `--reuid ${nobody} --regid ${nobody} --clear-groups --no-new-privs --bounding-set=-all`.split(' ');
    const script = 'mount -o remount,bind,ro / && ! touch written 2> /dev/null && exec setpriv "$@"';
    const service = spawn(
      'unshare',
      ['--mount', 'sh', '-c', script, 'sh', ...confined, process.execPath, 'bin/tarishi.js', 'start'],
      {
        cwd: project,
        env: {
          PATH: process.env.PATH,
          DATA_DIR: dataDirectory,
          HOST: '127.0.0.1',
          PORT: '0',
          METRICS_PORT: '0',
          MANAGEMENT_PORT: '0',
        },
      },
    );
    let output = '';
    for (const stream of [service.stdout, service.stderr]) stream.on('data', (bytes) => (output += bytes));
    const ended = once(service, 'exit');
    try {
      while (!output.includes('"msg":"ready"') && service.exitCode === null)
        await Promise.race([once(service.stdout, 'data'), ended]);
      expect(output).toContain('"msg":"ready"');
      const demo = readDemoFile(dataDirectory);
      const sent = await call(demo.baseUrl, `/message/${demo.smsServiceId}`, {
        token: await tokenFor(demo.baseUrl, demo),
        body: { type: 'SendToMany', addresses: ['+254711085000'], message: 'Habari' },
      });
      expect(sent.status).toBe(200);
    } finally {
      service.kill('SIGTERM');
      expect((await ended)[0]).toBe(0);
      rmSync(dataDirectory, { recursive: true });
    }
    expect(output).not.toContain('"level":50');
  },
);
