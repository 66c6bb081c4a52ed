/** Runs command lines in this process, for tests of what they do to a database. */
import type { Secrets } from '../clients/secrets.ts';
import { readConfig } from '../config.ts';
import type { Database } from '../db/knex.ts';
import { readArguments } from './arguments.ts';
import type { Command } from './command.ts';
import { readSecret } from './secret.ts';

/** A command line; as a list where a word holds spaces. */
export type Words = string | readonly string[];

/** Answers what a command answers as JSON, or the sentence of its error. */
export function createCommandLine(
  commands: readonly Command[],
  opened: { database: () => Database; secrets: Secrets },
): (words: Words, environment?: Record<string, string>) => Promise<unknown> {
  const context = {
    config: readConfig({}),
    database: async () => opened.database(),
    secrets: async () => opened.secrets,
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
      return answer !== undefined && 'list' in answer ? answer.list : answer?.one;
    } catch (error) {
      return (error as Error).message;
    }
  };
}
