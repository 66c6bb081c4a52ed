/** Runs the blocks of a page in order, in one shell, while the test's own networks respond. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect } from '@jest/globals';
import { closeDatabase, serveCommands } from './commands.ts';
import type { Example } from './guides.ts';

export interface Session {
  /** The folder that the reader is in. */
  cwd: string;
  variables: Record<string, string>;
  /** What the reader writes instead, such as the address of a network. */
  instead: readonly [written: string, own: string][];
  /** Its service runs only for the blocks that call it: commands need its files. */
  embedded: boolean;
}

const border = '=====';

/** How a block is run by the word after `run=` in its first line; others are run as they are. */
const runners: Record<string, (command: string, embedded: boolean) => string> = {
  no: () => ':',
  /** Starts a service that runs to the end. */
  service: (command) => `begin ${command}`,
  /** Starts one of several processes. */
  process: (command, embedded) => (embedded ? ':' : `begin ${command}`),
  /** Calls the service. */
  call: (command, embedded) => (embedded ? `begin npx tarishi start\n${command}\nendall` : command),
  /** Runs while no process does; afterwards they run again. */
  stopped: (command) => `endall\n${command}\nagain`,
  /** The same, for PostgreSQL only. */
  restored: (command, embedded) => (embedded ? ':' : `endall\n${command}\nagain`),
  /** Has processes started again, with the settings that the shell has by now. */
  restarted: () => 'endall\nagain',
  /** One of two ways to the same: each is run on one of the databases. */
  command: (command, embedded) => (embedded ? command : ':'),
  curl: (command, embedded) => (embedded ? ':' : command),
  postgresql: (command, embedded) => (embedded ? ':' : command),
  /** Copies its files. */
  embedded: (command, embedded) => (embedded ? `${closeDatabase}\n${command}` : ':'),
  'until-delivered': (command) => `for i in $(seq 600); do
shown=$(${command})
case $shown in *'"state":"Delivered"'*) break;; esac
sleep 0.1
done
echo "$shown"`,
};

/** `begin METRICS_PORT=1 npx tarishi work` returns when the process is ready; `endall` when all have drained. */
const prelude = `
started=() pids=()
begin() {
  local command="$*" log="service-\${#started[@]}.log"
  started+=("$command")
  launch "$command" "$log"
}
launch() {
  : > "$2"
  eval "exec env $1" >>"$2" 2>&1 &
  pids+=($!)
  for i in $(seq 900); do
    ! grep -q '"msg":"ready"' "$2" || return 0
    kill -0 $! || { cat "$2" >&2; exit 1; }
    sleep 0.1
  done
  cat "$2" >&2; exit 1
}
endall() {
  local pid
  for pid in "\${pids[@]}"; do kill "$pid"; done
  for pid in "\${pids[@]}"; do wait "$pid"; done
  pids=()
}
again() {
  [ "$embedded" = true ] || for one in "\${!started[@]}"; do launch "\${started[$one]}" "service-$one.log"; done
}
trap endall EXIT`;

/** What each block printed. Expects that none failed, and that every process drained. */
export async function runBlocks(
  blocks: readonly Example[],
  { cwd, variables, instead, embedded }: Session,
): Promise<string[]> {
  const scripts = blocks.map(({ text: written, attributes: { run = '' } }) => {
    const own = instead.reduce((all, [here, there]) => all.replaceAll(here, there), withoutComment(written));
    return runners[run]?.(own, embedded) ?? own;
  });
  const script = [prelude, scripts.join(`\necho ${border}\n`)].join('\n');
  const commands = await serveCommands();
  const child = spawn('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', script], {
    cwd,
    env: { ...variables, embedded: String(embedded), PATH: `${commands.tools}:${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const killWithTests = () => child.kill('SIGKILL');
  process.once('exit', killWithTests);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  process.off('exit', killWithTests);
  await commands.close();
  expect({ code, output, errors: code === 0 ? '' : errors }).toEqual({ code: 0, output, errors: '' });
  return output.split(`${border}\n`);
}

/** At the end of a block of one line, where another word would follow. */
const withoutComment = (written: string) =>
  written.includes('\n') ? written : written.replace(/ +# .*$/, '');
