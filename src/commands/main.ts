/** Finds the command, runs it, and prints its output or its faults. */
import { readConfig } from '../config.ts';
import { renderJson, renderText, visible } from './answer.ts';
import { readArguments } from './arguments.ts';
import { balanceCommands } from './balances.ts';
import { campaignCommands } from './campaigns.ts';
import { channelCommands } from './channels.ts';
import { chatServiceCommands } from './chat-services.ts';
import { chatTemplateCommands } from './chat-templates.ts';
import { clientCommands } from './clients.ts';
import { type Command, UsageError } from './command.ts';
import { connectorCommands } from './connectors.ts';
import { createContext } from './context.ts';
import { helpOf, overview } from './help.ts';
import { managedSenderCommands } from './managed-senders.ts';
import { quarantineCommands } from './quarantine.ts';
import { runCommands } from './run.ts';
import { readSecret } from './secret.ts';
import { senderCommands } from './senders.ts';
import { serviceCommands } from './sms-services.ts';
import { teamCommands } from './teams.ts';
import { templateCommands } from './templates.ts';
import { tokenKeyCommands } from './token-keys.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Commands by the title of their group. */
const groups: Record<string, readonly Command[]> = {
  Service: runCommands,
  'Teams and clients': [...teamCommands, ...clientCommands, ...tokenKeyCommands],
  Units: balanceCommands,
  'SMS services and templates': [...serviceCommands, ...templateCommands, ...managedSenderCommands],
  'Chat app': [...chatServiceCommands, ...senderCommands, ...chatTemplateCommands],
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
  } catch (error) {
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
