/** Finds the command, runs it, and prints its output or its faults. */
import { readFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { CommanderError } from 'commander';
import { readConfig } from '../config.ts';
import { clientCommands } from './access/clients.ts';
import { teamCommands } from './access/teams.ts';
import { tokenKeyCommands } from './access/token-keys.ts';
import { userCommands } from './access/users.ts';
import { renderJson, renderText, visible } from './line/answer.ts';
import { type Arguments, argumentsOf } from './line/arguments.ts';
import { type Command, UsageError } from './line/command.ts';
import { type Line, usageOf, wrapped } from './line/commander.ts';
import { createContext, type OpenAt } from './line/context.ts';
import { inWordsOf } from './line/faults.ts';
import { createProgram, withoutHelpCommand } from './line/program.ts';
import { readSecret } from './line/secret.ts';
import { campaignCommands } from './messaging/campaigns.ts';
import { chatAppServiceCommands } from './messaging/chatapp-services.ts';
import { chatAppTemplateCommands } from './messaging/chatapp-templates.ts';
import { managedSenderCommands } from './messaging/managed-senders.ts';
import { senderCommands } from './messaging/senders.ts';
import { serviceCommands } from './messaging/sms-services.ts';
import { templateCommands } from './messaging/sms-templates.ts';
import { channelCommands } from './networks/channels.ts';
import { connectorCommands } from './networks/connectors.ts';
import { conformCommands } from './operation/conform.ts';
import { endpointCommands } from './operation/endpoints.ts';
import { messageCommands } from './operation/messages.ts';
import { mockCommands } from './operation/mock.ts';
import { oversightCommands } from './operation/oversight.ts';
import { quarantineCommands } from './operation/quarantine.ts';
import { receiptCommands } from './operation/receipts.ts';
import { runCommands } from './operation/run.ts';
import { sandboxCommands } from './operation/sandbox.ts';
import { subjectCommands } from './operation/subjects.ts';
import { trialCommands } from './operation/trial.ts';
import { accountCommands } from './units/accounts.ts';
import { ledgerCommands } from './units/ledger.ts';
import { statementCommands } from './units/statements.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** Commands by the title of their group. */
export const commandGroups: Record<string, readonly Command[]> = {
  Service: [...runCommands, ...trialCommands, ...mockCommands, ...sandboxCommands, ...conformCommands],
  'Teams and clients': [...teamCommands, ...clientCommands, ...userCommands, ...tokenKeyCommands],
  Units: [...accountCommands, ...ledgerCommands, ...statementCommands],
  'SMS services and templates': [...serviceCommands, ...templateCommands, ...managedSenderCommands],
  'Chat app': [...chatAppServiceCommands, ...senderCommands, ...chatAppTemplateCommands],
  'Mobile data': campaignCommands,
  Networks: [...channelCommands, ...connectorCommands],
  Operation: [
    ...messageCommands,
    ...receiptCommands,
    ...quarantineCommands,
    ...subjectCommands,
    ...endpointCommands,
    ...oversightCommands,
  ],
};

/**
 * Returns the exit code: 0 done (or the service runs), 1 failed, 2 the command line is wrong. Whoever runs many
 * commands may bring an `openAt` that keeps the database open.
 */
export async function runCommand(
  words: readonly string[],
  environment: Environment,
  openAt?: OpenAt,
): Promise<number> {
  let written: { command: Command; line: Line } | undefined;
  const program = createProgram(commandGroups, version, (command, line) => {
    written = { command, line };
  });
  try {
    program.parse(withoutHelpCommand(program, words), { from: 'user' });
  } catch (error) {
    // It printed the help or the version.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
  if (written === undefined) return refuse([program, ...program.commands] as Line[]);
  return runWritten(written.command, written.line, environment, openAt);
}

/** No command was found. */
function refuse(lines: readonly Line[]): 2 {
  for (const { faults, path } of lines)
    if (faults.length > 0) {
      const rest = path === 'tarishi' ? '' : path.slice('tarishi'.length);
      process.stderr.write(`${sentences(faults)}\nSee tarishi help${rest}.\n`);
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
    await run(command, argumentsOf(command, line), environment, openAt);
    return 0;
  } catch (thrown) {
    const error = inWordsOf(command, thrown);
    if (error instanceof UsageError) {
      const usage = `Usage: ${wrapped(`${line.path} ${usageOf(command)}`)}\nSee ${line.path} --help.`;
      process.stderr.write(`${sentences(error.faults)}\n${usage}\n`);
      return 2;
    }
    if (!(error instanceof Error)) throw error;
    process.stderr.write(sentences(error.message.split('\n')));
    return 1;
  }
}

const sentences = (all: readonly string[]) => all.map((one) => `tarishi: ${visible(one)}\n`).join('');

async function run(
  command: Command,
  { values, secrets, json }: Arguments,
  environment: Environment,
  openAt: OpenAt | undefined,
): Promise<void> {
  const config = readConfig(environment);
  for (const [name, source] of Object.entries(secrets))
    values[name] = await readSecret(name, source, environment);
  const context = createContext(config, environment, openAt);
  try {
    const answer = await command.run(values, context);
    if (answer === undefined) return;
    if ('parts' in answer) await writeParts(answer.parts);
    else process.stdout.write(json ? renderJson(answer) : renderText(answer));
  } finally {
    await context.close();
  }
}

/** As fast as the reader takes them; stops when it stops reading, as `head` does. */
async function writeParts(parts: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(parts, process.stdout, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}
