/** Finds the command, runs it, and prints its output or its faults. */
import { readConfig } from '../config.ts';
import { clientCommands } from './access/clients.ts';
import { teamCommands } from './access/teams.ts';
import { tokenKeyCommands } from './access/token-keys.ts';
import { userCommands } from './access/users.ts';
import { renderJson, renderText, visible } from './line/answer.ts';
import { readArguments } from './line/arguments.ts';
import { type Command, UsageError } from './line/command.ts';
import { createContext } from './line/context.ts';
import { inWordsOf } from './line/faults.ts';
import { helpOf, overview } from './line/help.ts';
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
import { quarantineCommands } from './operation/quarantine.ts';
import { runCommands } from './operation/run.ts';
import { sandboxCommands } from './operation/sandbox.ts';
import { accountCommands } from './units/accounts.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Commands by the title of their group. */
const groups: Record<string, readonly Command[]> = {
  Service: [...runCommands, ...sandboxCommands],
  'Teams and clients': [...teamCommands, ...clientCommands, ...userCommands, ...tokenKeyCommands],
  Units: accountCommands,
  'SMS services and templates': [...serviceCommands, ...templateCommands, ...managedSenderCommands],
  'Chat app': [...chatAppServiceCommands, ...senderCommands, ...chatAppTemplateCommands],
  'Mobile data': campaignCommands,
  Networks: [...channelCommands, ...connectorCommands],
  Operation: quarantineCommands,
};

/** Answers the exit code: 0 done (or the service runs), 1 it could not be done, 2 the command line is wrong. */
export async function runCommand(words: readonly string[], environment: Environment): Promise<number> {
  const command = commandOf(words, Object.values(groups).flat());
  if (command === undefined) return guide(words);
  try {
    await run(command, words.slice(command.words.split(' ').length), environment);
    return 0;
  } catch (thrown) {
    const error = inWordsOf(command, thrown);
    if (error instanceof UsageError) {
      process.stderr.write(
        `${error.faults.map((fault) => `tarishi: ${visible(fault)}\n`).join('')}\n${helpOf(command)}`,
      );
      return 2;
    }
    if (!(error instanceof Error)) throw error;
    process.stderr.write(`tarishi: ${visible(error.message)}\n`);
    return 1;
  }
}

/** Says which commands there are: all, or those that begin with the same word. */
function guide(words: readonly string[]): 0 | 2 {
  const [first, second] = words;
  const related = Object.entries(groups)
    .map(([title, commands]) => [title, commands.filter((one) => one.words.split(' ')[0] === first)] as const)
    .filter(([, commands]) => commands.length > 0);
  const text = overview(related.length > 0 ? Object.fromEntries(related) : groups);
  if (isHelp(first) || isHelp(second)) {
    process.stdout.write(text);
    return 0;
  }
  const known = first === undefined || (related.length > 0 && second === undefined);
  const fault = known ? '' : `tarishi: unknown command '${words.slice(0, 2).join(' ')}'\n\n`;
  process.stderr.write(`${fault}${text}`);
  return 2;
}

function isHelp(word: string | undefined): boolean {
  return word === '--help' || word === '-h' || word === 'help';
}

function commandOf(words: readonly string[], commands: readonly Command[]): Command | undefined {
  return commands.find((command) => command.words.split(' ').every((word, index) => word === words[index]));
}

async function run(command: Command, words: readonly string[], environment: Environment): Promise<void> {
  const { values, secrets, json, help } = readArguments(command, words);
  if (help) {
    process.stdout.write(helpOf(command));
    return;
  }
  const config = readConfig(environment);
  for (const [name, source] of Object.entries(secrets))
    values[name] = await readSecret(name, source, environment);
  const context = createContext(config);
  try {
    const answer = await command.run(values, context);
    if (answer !== undefined) process.stdout.write(json ? renderJson(answer) : renderText(answer));
  } finally {
    await context.close();
  }
}
