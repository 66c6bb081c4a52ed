/** Runs commands in this process, for tests of their effect on a database. */

import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { loadDocument, scopesOf } from '../../contract/document.ts';
import type { Management } from '../../manage/management.ts';
import { systemClock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/knex.ts';
import { testDatabase } from '../../platform/db/opened-testing.ts';
import { ManagementError } from '../../platform/errors/management.ts';
import { createSecrets, type Secrets } from '../../platform/secrets/secrets.ts';
import { readConfig } from '../../process/config.ts';
import { allCommands } from '../main.ts';
import { openService, type Service } from '../management/service.ts';
import { type Answer, visibleStream } from './answer.ts';
import { readArguments } from './arguments.ts';
import type { Context } from './command.ts';
import { CommandError, UsageError } from './errors.ts';
import { readSecret } from './secret.ts';

/** A command line; as a list where a word holds spaces. */
export type Words = string | readonly string[];

type Run<Result> = (words: Words, environment?: Record<string, string>) => Promise<Result>;

interface Opened {
  database: () => Database;
  secrets: Secrets;
  /** Of the environment. */
  settings?: Readonly<Record<string, string>>;
}

/** As commands call what the management API does. */
export const managementOn = ({ database, secrets }: Opened): Management => ({
  knex: database().knex,
  clock: systemClock,
  actor: { kind: 'command line', name: 'tester' },
  team: undefined,
  trustedIssuers: [],
  scopes: () => scopesOf(loadDocument()),
  secrets: async () => secrets,
});

/** A command line on a database of its own, for all tests of a file. */
export function useCommandLine() {
  const database = testDatabase();
  const secrets = createSecrets(randomBytes(32));
  const opened = { database: () => database, secrets };
  return {
    database,
    secrets,
    opened,
    tarishi: createCommandLine(opened),
    fully: createFullCommandLine(opened),
  };
}

/** Returns the JSON output of a command as programs get it, or its error message. */
export function createCommandLine(opened: Opened): Run<unknown> {
  const run = createFullCommandLine(opened);
  return async (words, environment) => {
    const answer = await run(words, environment);
    if (answer === undefined || typeof answer === 'string') return answer;
    if (answer.json !== undefined) return answer.json;
    return 'list' in answer ? answer.list : answer.one;
  };
}

/** The same with the notes for people. */
function createFullCommandLine(opened: Opened): Run<Answer | string | undefined> {
  const commands = allCommands();
  let service: Promise<Service> | undefined;
  const noAddress = { url: undefined, accessKey: undefined };
  const config = readConfig({ DATA_DIR: tmpdir(), ...opened.settings });
  const context: Context = {
    config,
    environment: {},
    management: async () => managementOn(opened),
    service: () => {
      service ??= openService(noAddress, {
        config,
        environment: {},
        open: async () => ({
          database: opened.database(),
          secrets: async () => opened.secrets,
          operator: 'tester',
        }),
      });
      return service;
    },
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
      if (error instanceof CommandError || error instanceof UsageError || error instanceof ManagementError)
        return error.message;
      throw error;
    }
  };
}

async function textOf(parts: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const part of parts) text += visibleStream(part);
  return text;
}
