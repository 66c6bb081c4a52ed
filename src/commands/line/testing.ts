/** Runs commands in this process, for tests of their effect on a database. */
import { tmpdir } from 'node:os';
import type { Secrets } from '../../clients/secrets.ts';
import { systemClock } from '../../clock.ts';
import { readConfig } from '../../config.ts';
import type { Database } from '../../db/knex.ts';
import type { Answer } from './answer.ts';
import { readArguments } from './arguments.ts';
import type { Command } from './command.ts';
import { inWordsOf } from './faults.ts';
import { readSecret } from './secret.ts';

/** A command line; as a list where a word holds spaces. */
export type Words = string | readonly string[];

type Run<Result> = (words: Words, environment?: Record<string, string>) => Promise<Result>;

interface Opened {
  database: () => Database;
  secrets: Secrets;
}

/** Returns the JSON output of a command, or its error message. */
export function createCommandLine(commands: readonly Command[], opened: Opened): Run<unknown> {
  const run = createFullCommandLine(commands, opened);
  return async (words, environment) => {
    const answer = await run(words, environment);
    if (answer === undefined || typeof answer === 'string') return answer;
    return 'list' in answer ? answer.list : answer.one;
  };
}

/** The same with the notes for people. */
export function createFullCommandLine(
  commands: readonly Command[],
  opened: Opened,
): Run<Answer | string | undefined> {
  const context = {
    config: readConfig({ DATA_DIR: tmpdir() }),
    environment: {},
    management: async () => ({
      knex: opened.database().knex,
      clock: systemClock,
      actor: { kind: 'command line', name: 'tester' } as const,
      team: undefined,
      secrets: async () => opened.secrets,
    }),
  };
  return async (words, environment = {}) => {
    const line = typeof words === 'string' ? words.split(' ') : words;
    const found = commands.find((one) => `${line.join(' ')} `.startsWith(`${one.words} `));
    if (found === undefined) throw new Error(`no command ${line.join(' ')}`);
    try {
      const { values, secrets } = readArguments(found, line.slice(found.words.split(' ').length));
      for (const [name, source] of Object.entries(secrets))
        values[name] = await readSecret(name, source, environment);
      const answer = await found.run(values, context);
      if (answer === undefined || !('parts' in answer)) return answer;
      return textOf(answer.parts);
    } catch (error) {
      return (inWordsOf(found, error) as Error).message;
    }
  };
}

async function textOf(parts: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const part of parts) text += part;
  return text;
}
