/** The systemd units: valid, and confined. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { testEvery } from '../../src/platform/for-every-testing.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));
const units = readdirSync(here).filter((name) => name.endsWith('.service'));
const installed = spawnSync('systemd-analyze', ['--version']).status === 0;
const directory = mkdtempSync(join(tmpdir(), 'tarishi-units-'));

/** The unit as it would be if this checkout were installed. */
function written(unit: string): string {
  const file = join(directory, unit);
  const text = readFileSync(join(here, unit), 'utf8');
  writeFileSync(file, text.replaceAll('/srv/tarishi', root.replace(/\/$/, '')));
  return file;
}

test('there is one for each way to run the service', () => {
  expect(units.sort()).toEqual(['tarishi-serve.service', 'tarishi-start.service', 'tarishi-work.service']);
});

testEvery(units)('%s leaves the process its time to drain', (unit) => {
  const seconds = /^TimeoutStopSec=(\d+)$/m.exec(readFileSync(join(here, unit), 'utf8'))?.[1];
  // The defaults in production of DRAIN_DELAY_MS and SHUTDOWN_GRACE_MS.
  expect(Number(seconds) * 1_000).toBeGreaterThan(5_000 + 10_000);
});

if (!installed) process.stderr.write('skipped: systemd-analyze is not installed\n');
(installed ? describe : describe.skip)('systemd-analyze', () => {
  test('verify finds no fault', () => {
    const run = spawnSync('systemd-analyze', ['verify', '--man=no', ...units.map(written)], {
      encoding: 'utf8',
    });
    expect({ status: run.status, output: run.stdout + run.stderr }).toEqual({ status: 0, output: '' });
  });

  testEvery(units)('security rates %s as OK: exposure of at most 2.0 out of 10', (unit) => {
    const words = ['security', '--offline=true', '--threshold=20', written(unit)];
    const run = spawnSync('systemd-analyze', words, { encoding: 'utf8' });
    expect(run.stdout).toMatch(/Overall exposure level for .*: [01]\.\d OK/);
    expect(run.status).toBe(0);
  });
});
