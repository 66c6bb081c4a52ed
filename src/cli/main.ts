/** Finds the command, runs it, and prints its output or its faults. */
import { readFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { CommanderError } from 'commander';
import { loadDocument } from '../contract/document.ts';
import { managementOperations } from '../contract/management.ts';
import { commandName } from '../process/command-name.ts';
import { readConfig } from '../process/config.ts';
import { renderJson, renderText, visible, visibleStream } from './line/answer.ts';
import { type Arguments, argumentsOf } from './line/arguments.ts';
import type { Command } from './line/command.ts';
import { type Line, usageOf, wrapped } from './line/commander.ts';
import { createContext } from './line/context.ts';
import { UsageError } from './line/errors.ts';
import type { OpenAt } from './line/open-database.ts';
import { createProgram, withoutHelpCommand } from './line/program.ts';
import { readSecret } from './line/secret.ts';
import { managedCommands } from './management/commands.ts';
import { archiveCommands } from './operation/archive.ts';
import { completionCommands } from './operation/completion.ts';
import { conformCommands } from './operation/conform.ts';
import { doctorCommands } from './operation/doctor.ts';
import { runCommands } from './operation/run.ts';
import { sandboxCommands } from './operation/sandbox.ts';
import { secretKeyCommands } from './operation/secret-keys.ts';
import { statementCommands } from './operation/statements.ts';
import { tokenKeyCommands } from './operation/token-keys.ts';
import { trialCommands } from './operation/trial.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** What runs the service, or helps to try it. */
const running = [...runCommands, ...trialCommands, ...sandboxCommands, ...conformCommands];
/** What needs the machine, not only the management API. */
const local = [
  ...doctorCommands,
  ...statementCommands,
  ...archiveCommands,
  ...tokenKeyCommands,
  ...secretKeyCommands,
  ...completionCommands(() => allCommands()),
];

/** Commands by the title of their group: those of the management document have its tags. */
function commandGroups(): Record<string, readonly Command[]> {
  const document = loadDocument('management');
  const managed = managedCommands(managementOperations());
  const tags = (document.published.tags ?? []).map(({ name }) => [
    name,
    managed.filter(({ operation }) => operation.tag === name).map(({ command }) => command),
  ]);
  return { Service: running, ...Object.fromEntries(tags), 'On this machine': local };
}

export const allCommands = (): readonly Command[] => Object.values(commandGroups()).flat();

/** Those that a command line may be about: to read the document takes longer than most that do without it. */
function groupsFor([first]: readonly string[]): Record<string, readonly Command[]> {
  return running.some(({ words }) => words === first) ? { Service: running } : commandGroups();
}

/**
 * Returns the exit code: 0 done (or the service runs), 1 failed, 2 the command line is wrong; a command may have others. A caller that runs many
 * commands may bring an `openAt` that keeps the database open.
 */
export async function runCommand(
  words: readonly string[],
  environment: Environment,
  openAt?: OpenAt,
): Promise<number> {
  let written: { command: Command; line: Line } | undefined;
  const program = createProgram(groupsFor(words), version, (command, line) => {
    written = { command, line };
  });
  try {
    program.parse(withoutHelpCommand(program, words), { from: 'user' });
  } catch (error) {
    // It printed the help or the version.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
  if (written === undefined) return refuse([program, ...program.commands] as Line[], environment);
  return runWritten(written.command, written.line, environment, openAt);
}

/** No command was found. */
function refuse(lines: readonly Line[], environment: Environment): 2 {
  for (const { faults, path } of lines)
    if (faults.length > 0) {
      const rest = path.slice('tarishi'.length);
      process.stderr.write(`${sentences(faults)}\nSee ${typed('tarishi help', environment)}${rest}.\n`);
    }
  return 2;
}

async function runWritten(
  command: Command,
  line: Line,
  environment: Environment,
  openAt: OpenAt | undefined,
): Promise<number> {
  try {
    return await run(command, argumentsOf(command, line), environment, openAt);
  } catch (error) {
    if (error instanceof UsageError) {
      const usage = `Usage: ${wrapped(`${line.path} ${usageOf(command)}`)}\nSee ${typed(line.path, environment)} --help.`;
      process.stderr.write(`${sentences(error.faults)}\n${usage}\n`);
      return 2;
    }
    if (!(error instanceof Error)) throw error;
    process.stderr.write(sentences(error.message.split('\n')));
    return 1;
  }
}

/** A command as it works in this folder. */
const typed = (path: string, { DATA_DIR = 'data' }: Environment) =>
  `${commandName(DATA_DIR)}${path.slice('tarishi'.length)}`;

const sentences = (all: readonly string[]) => all.map((one) => `tarishi: ${visible(one)}\n`).join('');

async function run(
  command: Command,
  { values, secrets, json }: Arguments,
  environment: Environment,
  openAt: OpenAt | undefined,
): Promise<number> {
  const config = readConfig(environment);
  for (const [name, source] of Object.entries(secrets))
    values[name] = await readSecret(name, source, environment);
  const context = createContext(config, environment, openAt);
  try {
    const answer = await command.run(values, context);
    if (answer === undefined) return 0;
    if ('parts' in answer) {
      await writeParts(answer.parts);
      return 0;
    }
    process.stdout.write(json ? renderJson(answer) : renderText(answer));
    return answer.exitCode ?? 0;
  } finally {
    await context.close();
  }
}

async function* visibleParts(parts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const part of parts) yield visibleStream(part);
}

/** As fast as the reader takes them; stops when it stops reading, as `head` does. */
async function writeParts(parts: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(visibleParts(parts), process.stdout, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}
