/** Nothing that the tests write to the directory for temporary files outlives them. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const parent = mkdtempSync(join(tmpdir(), 'tarishi-runs-'));

/** A run that leaves a file behind, and ends as `end` says. */
function run(end: string, within = parent): string {
  const open = new URL('run-directory-testing.ts', import.meta.url).href;
  const program = `import { writeFileSync } from 'node:fs';
    import { openRunDirectory } from '${open}';
    const directory = openRunDirectory('${within}');
    writeFileSync(directory + '/left', '');
    process.stdout.write(directory, () => { ${end} });`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout;
}

test('a run removes its directory, and those of runs that were killed', () => {
  expect(existsSync(run('process.exit(1)'))).toBe(false);
  const killed = run("process.kill(process.pid, 'SIGKILL')");
  expect(readdirSync(killed)).toEqual(['left']);
  const running = join(parent, `tarishi-run-${process.pid}`);
  mkdirSync(running);
  writeFileSync(join(parent, 'of-others'), '');
  run('');
  expect(readdirSync(parent).sort()).toEqual(['of-others', `tarishi-run-${process.pid}`]);
});

test('a run within a run uses its directory, and leaves it', () => {
  const outer = join(parent, 'tarishi-run-1');
  mkdirSync(outer);
  expect(run('', outer)).toBe(outer);
  expect(readdirSync(outer)).toEqual(['left']);
});
