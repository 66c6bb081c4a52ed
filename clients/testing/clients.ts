/** The three clients as programs that carry out one call after another, with the same calls and the same outcomes. */
import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** One call of a client. */
export interface Step {
  /** A method, such as `sms.send`, or a function. */
  call: string;
  /** Named as in TypeScript and PHP; Python's names follow from them. `{instant}` becomes a Date or its like. */
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

const commands = {
  typescript: [process.execPath, 'driver.ts'],
  python: ['python3', 'driver.py'],
  php: ['php', 'driver.php'],
} as const;

export type Language = keyof typeof commands;

const all = Object.keys(commands) as Language[];
const missing = all.filter((language) => spawnSync(commands[language][0], ['--version']).status !== 0);
if (missing.length > 0) process.stderr.write(`skipped, because it is not installed: ${missing.join(', ')}\n`);

/** Those that this machine can run. */
export const languages = all.filter((language) => !missing.includes(language));

export function startClient(language: Language): Client {
  const [program, file] = commands[language];
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(program, [path], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let previous: Promise<unknown> = Promise.resolve();
  return {
    run: ({ call = '', args = {}, options = {}, client = {}, times = 1 }) => {
      const outcome = previous.then(async () => {
        child.stdin.write(`${JSON.stringify({ call, args, options, client, times })}\n`);
        const { value, done } = await lines.next();
        if (done) throw new Error(`${language}: the program ended`);
        // What is null in Python and PHP is undefined in TypeScript.
        return JSON.parse(value, (_, part) => part ?? undefined) as Outcome;
      });
      previous = outcome.catch(() => {});
      return outcome;
    },
    stop: () => child.kill(),
  };
}
