/** The clients as programs that carry out one call after another, with the same calls and the same outcomes. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openedForAll } from '../../src/platform/db/opened-testing.ts';

/** One call of a client. */
export interface Step {
  /** A method, such as `sms.send`, or a function. */
  call: string;
  /** Named as in TypeScript and PHP; the names of Python and Go follow from them. `{instant}` becomes a Date or its like. */
  args: Record<string, unknown>;
  /** What can be set for a single call. */
  options: Record<string, unknown>;
  /** Of the constructor; `timeout` in seconds. Steps with the same options share a client. */
  client: Record<string, unknown>;
  /** So many times at once, where the language has threads or the like. */
  times: number;
}

export interface Outcome {
  // biome-ignore lint/suspicious/noExplicitAny: whatever a call returns.
  value?: any;
  /** `kind` is the name of the class, or `argument` if the language's own error says that an argument is wrong. */
  error?: { kind: string; desc: string } & Record<string, unknown>;
  /** In milliseconds, between the attempts. */
  pauses: number[];
  /** What a debugger or a reporter of errors shows of the error and of all clients. */
  dump?: string;
}

export interface Client {
  run: (step: Partial<Step>) => Promise<Outcome>;
  stop: () => void;
}

const versions = {
  typescript: [process.execPath, '--version'],
  python: ['python3', '--version'],
  'python-async': ['python3', '-c', 'import httpx'],
  php: ['php', '--version'],
  go: ['go', 'version'],
} as const;

export type Language = keyof typeof versions;

const all = Object.keys(versions) as Language[];
const missing = all.filter(
  (language) => spawnSync(versions[language][0], versions[language].slice(1)).status !== 0,
);
if (missing.length > 0) process.stderr.write(`skipped, because it is not installed: ${missing.join(', ')}\n`);

/** Without the network: there is nothing to download. */
export const goEnvironment = { ...process.env, GOPROXY: 'off', GOTOOLCHAIN: 'local' };

/** Those that this machine can run. */
export const languages = all.filter((language) => !missing.includes(language));

const here = fileURLToPath(new URL('.', import.meta.url));

const drivers: Record<Language, () => ChildProcess> = {
  typescript: () => start(process.execPath, join(here, 'driver.ts')),
  python: () => start('python3', join(here, 'driver.py')),
  'python-async': () => start('python3', join(here, 'driver.py'), 'async'),
  php: () => start('php', join(here, 'driver.php')),
  go: startGo,
};

function start(program: string, ...words: string[]): ChildProcess {
  const env = { ...process.env, TARISHI_DRIVER: 'true' };
  return spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'], env });
}

/** Compiled: its package has no other program. */
function startGo(): ChildProcess {
  const directory = mkdtempSync(join(tmpdir(), 'tarishi-go-'));
  const program = join(directory, 'driver');
  try {
    execFileSync('go', ['test', '-c', '-o', program, '.'], { cwd: join(here, '../go'), env: goEnvironment });
    return start(program);
  } finally {
    // A program that runs does not need its file.
    rmSync(directory, { recursive: true });
  }
}

/** For the tests of a describe. */
export const openedClient = (language: Language): Client =>
  openedForAll(
    async () => startClient(language),
    async ({ stop }) => stop(),
  );

function startClient(language: Language): Client {
  const child = drivers[language]();
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error(`${language}: no pipes`);
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  let previous: Promise<unknown> = Promise.resolve();
  return {
    run: ({ call = '', args = {}, options = {}, client = {}, times = 1 }) => {
      const outcome = previous.then(async () => {
        stdin.write(`${JSON.stringify({ call, args, options, client, times })}\n`);
        const { value, done } = await lines.next();
        if (done) throw new Error(`${language}: the program ended`);
        // What is null in the others is undefined in TypeScript.
        return JSON.parse(value, (_, part) => part ?? undefined) as Outcome;
      });
      previous = outcome.catch(() => {});
      return outcome;
    },
    stop: () => child.kill(),
  };
}

/** Go writes no zeros at the end of a fraction of a second. */
export function writtenIn(language: Language, text: string): string {
  return language === 'go'
    ? text.replaceAll(/\.\d{3}Z/g, (fraction) => fraction.replace(/\.?0{0,3}Z/, 'Z'))
    : text;
}
