/** Runs the commands of a shell in the test's own process: starting one for each takes longer than the command. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { keepOpen, runHere } from '../service/command-line.ts';
import { nodeOptions } from '../service/process.ts';

/** What the shell runs to close the database, which another process or a copy of its files needs. */
export const closeDatabase = 'npx tarishi --close-database';

interface Request {
  cwd: string;
  words: string[];
  environment: Record<string, string>;
}

const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));

/** Hands a command over, and ends as the command did. */
const client = `
const socket = require('node:net').connect(process.argv[2]);
socket.end(JSON.stringify({ cwd: process.cwd(), words: process.argv.slice(3), environment: process.env }));
let outcome = '';
socket.on('data', (bytes) => { outcome += bytes; });
socket.on('end', () => {
  const { code, out, err } = JSON.parse(outcome);
  process.stdout.write(out);
  process.stderr.write(err);
  process.exitCode = code;
});`;

/** `tools`: a folder with an `npx` that runs this project, on the Node of the tests. */
export async function serveCommands(): Promise<{ tools: string; close: () => Promise<void> }> {
  const tools = mkdtempSync(join(tmpdir(), 'tarishi-tools-'));
  const address = join(tools, 'commands');
  const kept = keepOpen();
  const home = process.cwd();
  const respond = async (socket: Socket) => {
    const { cwd, words, environment }: Request = JSON.parse(await text(socket));
    process.chdir(cwd);
    const closes = closeDatabase.endsWith(` ${words.join(' ')}`);
    if (closes) await kept.close();
    const outcome = closes ? { code: 0, out: '', err: '' } : await runHere(words, environment, kept.openAt);
    socket.end(JSON.stringify(outcome));
  };
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    respond(socket).catch((error: Error) =>
      socket.end(JSON.stringify({ code: 1, out: '', err: error.stack })),
    );
  });
  await new Promise<void>((resolve) => server.listen(address, resolve));
  const handOver = `${process.execPath} ${join(tools, 'client.cjs')} ${address}`;
  writeFileSync(join(tools, 'client.cjs'), client);
  writeFileSync(
    join(tools, 'npx'),
    `#!/bin/sh
[ "$1" = tarishi ] && shift
case $1 in
migrate | start | serve | work)
  ${handOver} --close-database && exec ${[process.execPath, ...nodeOptions, main].join(' ')} "$@" ;;
*) exec ${handOver} "$@" ;;
esac
`,
    { mode: 0o755 },
  );
  return {
    tools,
    close: async () => {
      await kept.close();
      process.chdir(home);
      await new Promise((resolve) => server.close(resolve));
      rmSync(tools, { recursive: true });
    },
  };
}
