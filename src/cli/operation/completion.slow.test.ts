/** The completion scripts, read by the shells that they are for. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { allCommands } from '../main.ts';
import { completionScript, type Shell } from './completion.ts';

const folder = mkdtempSync(join(tmpdir(), 'tarishi-completion-'));

/** What a shell does with a script that completes the words `$@`, the last of which may be incomplete. */
const asks: Readonly<Record<Shell, string>> = {
  bash: `COMP_WORDS=(tarishi "$@"); COMP_CWORD=$#; _tarishi; for found in $\{COMPREPLY[@]}; do echo $found; done`,
  // Only a terminal has zsh itself leave out what does not begin like the last word.
  zsh: `setopt ksharrays shwordsplit; COMP_WORDS=(tarishi "$@"); COMP_CWORD=$#; _tarishi
    for last in "$@"; do :; done
    for found in $\{COMPREPLY[@]}; do case $found in $last*) echo $found;; esac; done`,
  fish: 'complete -C "tarishi $(string join -- " " $argv)" | string replace -r "\\t.*" ""',
};

function complete(shell: Shell, words: readonly string[]): string[] {
  const script = join(folder, shell);
  writeFileSync(script, `${completionScript(shell, allCommands())}\n${asks[shell]}\n`);
  const { stdout, stderr } = spawnSync(shell, [script, ...words], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return [...new Set(stdout.split('\n').filter((line) => line !== ''))].sort();
}

for (const shell of ['bash', 'zsh', 'fish'] as const) {
  const installed = spawnSync(shell, ['-c', 'true']).status === 0;
  if (!installed) process.stdout.write(`skipped: completion in ${shell}, which is not installed\n`);
  (installed ? describe : describe.skip)(shell, () => {
    test.each<[string[], string[]]>([
      [['cli'], ['client']],
      [['sta'], ['start', 'statement', 'stats']],
      [
        ['client', 're'],
        ['restore', 'revoke', 'revoke-former'],
      ],
      [['client', 'add', 'shop', '--te'], ['--team']],
      [['user', 'add', 'amina', '--role', 'o'], ['owner']],
      [['nothing', 'x'], []],
    ])('%j: %j', (words, found) => {
      expect(complete(shell, words)).toEqual(found);
    });
  });
}

test('every command and each of its options is in each script', () => {
  for (const shell of ['bash', 'fish'] as const) {
    const script = completionScript(shell, allCommands());
    for (const { words, options } of allCommands()) {
      expect(script).toContain(words.split(' ').at(-1));
      for (const [name, { kind }] of Object.entries(options))
        if (kind !== 'secret') expect(script).toContain(shell === 'fish' ? `-l ${name} ` : `--${name}`);
    }
  }
});
