/** Alert rules and dashboard: valid, and about metrics that the service has. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { filesBelow, readSource } from '../../src/architecture/sources-testing.ts';
import { testEvery } from '../../src/platform/for-every-testing.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const namesIn = (text: string) => [...new Set(text.match(/\btarishi_[a-z_]+/g))];

const metrics = new Set(
  filesBelow('src')
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) => namesIn(readSource(path).code.replace(/tarishi_[a-z_]+(?=[^'a-z_])/g, ''))),
);

describe('metric names', () => {
  testEvery(['alerts.yaml', 'alerts.test.yaml', 'dashboard.json', '../../docs/operate/monitoring.md'])(
    '%s names only metrics that exist',
    (file) => {
      const named = namesIn(read(file)).map((name) => name.replace(/_(bucket|sum|count)$/, ''));
      expect(named.length).toBeGreaterThan(3);
      expect(named.filter((name) => !metrics.has(name))).toEqual([]);
    },
  );

  test('the dashboard and the alerts together show every metric that a person acts on', () => {
    const shown = namesIn(read('alerts.yaml') + read('dashboard.json')).map((name) =>
      name.replace(/_(bucket|sum|count)$/, ''),
    );
    const actedOn = [
      ...read('../../docs/operate/monitoring.md').matchAll(/^\| `(tarishi_[a-z_]+)` \|/gm),
    ].map(([, name]) => name);
    expect(actedOn.length).toBeGreaterThan(10);
    expect(actedOn.filter((name) => !shown.includes(name ?? ''))).toEqual([]);
  });
});

const installed = spawnSync('promtool', ['--version']).status === 0;
if (!installed) process.stderr.write('skipped: promtool is not installed\n');
(installed ? describe : describe.skip)('promtool', () => {
  testEvery([
    ['check', 'rules', 'alerts.yaml'],
    ['test', 'rules', 'alerts.test.yaml'],
    ['check', 'config', 'prometheus.yaml'],
  ])('%s %s %s', (...words) => {
    const run = spawnSync('promtool', words, { cwd: here, encoding: 'utf8' });
    expect({ status: run.status, output: run.stdout + run.stderr }).toMatchObject({
      status: 0,
      output: expect.stringContaining('SUCCESS'),
    });
  });
});
