/** What npm can run scripts with instead of a POSIX shell: as little as what every system's shell understands. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Starts the first word of a script with the others, and knows nothing else; signals end it alone, as they do cmd. */
const program = `#!/usr/bin/env node
const [file, ...words] = process.argv[3].split(' ');
require('child_process').spawn(file, words, { stdio: 'inherit' }).on('exit', (code) => process.exit(code ?? 1));
`;

/** The variables that have npm use it. The file is written to `directory`. */
export function withPlainShell(directory: string): Record<string, string> {
  const file = join(directory, 'plain-shell.cjs');
  writeFileSync(file, program, { mode: 0o755 });
  return { npm_config_script_shell: file };
}
