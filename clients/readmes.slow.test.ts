/** The programs in the README of each client work, pasted one after the other, with the demo service. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { sharedService } from '../contract-tests/support/shared/service.ts';
import { goEnvironment, type Language, languages } from './testing/clients.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'tarishi-readmes-'));

interface Kind {
  /** The part of the README with the programs. */
  part: (readme: string) => string | undefined;
  folder: string;
  /** Of the blocks in it. */
  fence: string;
  file: string;
  /** Makes one program of the blocks before the one that receives receipts. */
  program: (blocks: string) => string;
  command: (file: string) => [string, ...string[]];
}

const beforeReceiver = (readme: string) => readme.split('## Receive receipts')[0];
const kinds: Record<Language, Kind> = {
  typescript: {
    part: beforeReceiver,
    folder: 'typescript',
    fence: 'ts',
    file: 'readme.ts',
    program: (blocks) =>
      blocks.replaceAll("'tarishi-client'", `'${join(here, 'typescript/src/client.ts')}'`) +
      '\nasync function topUp() {}',
    command: (file) => [process.execPath, file],
  },
  python: {
    part: beforeReceiver,
    folder: 'python',
    fence: 'python',
    file: 'readme.py',
    program: (blocks) => blocks,
    command: (file) => ['python3', file],
  },
  'python-async': {
    part: (readme) => readme.split('## asyncio')[1],
    folder: 'python',
    fence: 'python',
    file: 'readme_async.py',
    program: (blocks) => blocks,
    command: (file) => ['python3', file],
  },
  php: {
    part: beforeReceiver,
    folder: 'php',
    fence: 'php',
    file: 'readme.php',
    program: (blocks) => `<?php
spl_autoload_register(function (string $class): void {
    require '${join(here, 'php/src/')}' . strtr(substr($class, 8), '\\\\', '/') . '.php';
});
${blocks}`,
    command: (file) => ['php', '-d', 'error_reporting=-1', '-d', 'display_errors=stderr', file],
  },
  go: {
    part: beforeReceiver,
    folder: 'go',
    fence: 'go',
    file: 'main.go',
    // The first is a program, which the others continue.
    program: (blocks) =>
      `${blocks.replace('import (', 'import (\n\t"errors"').replace(/^}$/m, '')}}\nfunc topUp() {}`,
    command: (file) => ['go', 'run', file],
  },
};

test.each(languages)('%s', (language) => {
  const { part, folder, fence, file, program, command } = kinds[language];
  const readme = readFileSync(join(here, folder, 'README.md'), 'utf8');
  const blocks = [...(part(readme) ?? '').matchAll(new RegExp(`^\`\`\`${fence}\\n(.*?)^\`\`\``, 'gms'))].map(
    ([, text]) => text,
  );
  expect(blocks.length).toBeGreaterThanOrEqual(language === 'python-async' ? 1 : 4);
  const path = join(directory, language, file);
  mkdirSync(join(directory, language));
  if (language === 'go') installGo();
  writeFileSync(path, program(blocks.join('\n')));
  const { baseUrl, clientId, clientSecret } = sharedService().demo;
  const [name, ...words] = command(path);
  const run = spawnSync(name, words, {
    encoding: 'utf8',
    cwd: join(directory, language),
    env: {
      ...goEnvironment,
      PYTHONPATH: join(here, 'python/src'),
      TARISHI_URL: baseUrl,
      TARISHI_CLIENT_ID: clientId,
      TARISHI_CLIENT_SECRET: clientSecret,
    },
  });
  expect(run).toMatchObject({ stderr: '', status: 0 });
  expect(run.stdout).not.toBe('');
});

/** As the README says. */
function installGo(): void {
  symlinkSync(join(here, '..'), join(directory, 'tarishi'));
  const [, install = ''] =
    /^```sh\n(go mod init .*?)^```/ms.exec(readFileSync(join(here, 'go/README.md'), 'utf8')) ?? [];
  execFileSync('sh', ['-ec', install], { cwd: join(directory, 'go'), env: goEnvironment, stdio: 'pipe' });
}
