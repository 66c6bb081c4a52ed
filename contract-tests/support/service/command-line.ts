/** The command line as an operator types it, on a database of its own. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, jest } from '@jest/globals';
import { runCommand } from '../../../src/cli/main.ts';
import { type Database, openDatabase } from '../../../src/platform/db/knex.ts';
import { createFreshDatabase } from '../../../src/platform/db/testing.ts';
import { type Beside, startProcess } from './deployment.ts';
import { nodeOptions, processEnvironment } from './process.ts';

export interface Outcome {
  code: number | null;
  out: string;
  err: string;
}

/** A command line; as a list where a word holds spaces. */
type Words = string | readonly string[];

export interface CommandLine {
  /** Whether the database is in one process at a time. */
  embedded: boolean;
  /** Starts the whole service on the database of the commands. */
  start: (more?: Record<string, string>) => Promise<Beside>;
  tarishi: (words: Words, more?: Record<string, string>) => Promise<Outcome>;
  /** The output of a command with `--json`. */
  answerOf: (words: Words) => Promise<ReturnType<typeof JSON.parse>>;
  /** Exit code 1 and this sentence. */
  refused: (words: Words, sentence: string | RegExp) => Promise<void>;
  dispose: () => Promise<void>;
}

const listOf = (words: Words) => (typeof words === 'string' ? words.split(' ') : words);

export async function openCommandLine(): Promise<CommandLine> {
  const directory = mkdtempSync(join(tmpdir(), 'tarishi-commands-'));
  const serverUrl = process.env.DATABASE_URL;
  const database = serverUrl === undefined ? undefined : await createFreshDatabase(serverUrl);
  const environment = {
    ...processEnvironment,
    DATA_DIR: join(directory, 'data'),
    DATABASE_URL: database?.url,
    SECRET_KEY: randomBytes(32).toString('base64'),
    DEMO: 'false',
    LOG_LEVEL: 'info',
  };
  const kept = keepOpen();
  const tarishi: CommandLine['tarishi'] = async (words, more) => {
    const list = listOf(words);
    if (!exiting.has(list[0] ?? '')) return runHere(list, { ...environment, ...more }, kept.openAt);
    await kept.close();
    return runInProcess(list, { ...environment, ...more });
  };
  return {
    embedded: database === undefined,
    async start(more) {
      await kept.close();
      return startProcess('start', { ...environment, ...more });
    },
    tarishi,
    async answerOf(words) {
      const outcome = await tarishi([...listOf(words), '--json']);
      expect(outcome).toEqual({ code: 0, out: expect.any(String), err: '' });
      return JSON.parse(outcome.out);
    },
    async refused(words, sentence) {
      const err = typeof sentence === 'string' ? `tarishi: ${sentence}\n` : expect.stringMatching(sentence);
      expect(await tarishi(words)).toEqual({ code: 1, out: '', err });
    },
    async dispose() {
      await kept.close();
      await database?.drop();
      rmSync(directory, { recursive: true });
    },
  };
}

type Environment = Record<string, string | undefined>;

/** What ends by exiting runs in a process of its own; the rest here: starting one takes longer than a command. */
const exiting = new Set(['migrate', 'start', 'serve', 'work']);

/** Opens the database for the first command, and closes it before another process needs it: opening takes longest. */
export function keepOpen(): { openAt: typeof openDatabase; close: () => Promise<void> } {
  let opened: { where: string | undefined; database: Database } | undefined;
  const close = async () => {
    await opened?.database.close();
    opened = undefined;
  };
  return {
    openAt: async (settings, ...more) => {
      const where = settings.databaseUrl ?? settings.dataDirectory;
      if (opened === undefined || opened.where !== where) {
        await close();
        opened = { where, database: await openDatabase(settings, ...more) };
      }
      return { ...opened.database, close: async () => {} };
    },
    close,
  };
}

export async function runHere(
  words: readonly string[],
  environment: Environment,
  openAt = openDatabase,
): Promise<Outcome> {
  let [out, err] = ['', ''];
  const streams = [
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
      out += String(text);
      return true;
    }),
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
      err += String(text);
      return true;
    }),
  ];
  try {
    const code = await runCommand(words, environment, openAt);
    return { code, out, err };
  } finally {
    for (const stream of streams) stream.mockRestore();
  }
}

/** In a process of its own. */
export async function runInProcess(words: readonly string[], environment: Environment): Promise<Outcome> {
  const child = spawn(process.execPath, [...nodeOptions, 'src/main.ts', ...words], {
    cwd: new URL('../../..', import.meta.url),
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, out, err };
}
