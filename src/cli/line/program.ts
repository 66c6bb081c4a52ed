/** All commands as one program, with its help and version. */
import type { Help } from 'commander';
import type { Command } from './command.ts';
import { Line, lineOf, synopsisOf } from './commander.ts';

/** Commands by the title of their group. */
export type Groups = Readonly<Record<string, readonly Command[]>>;

/** `run` gets the command that was written, once its line is parsed. */
export function createProgram(
  groups: Groups,
  version: string,
  run: (command: Command, line: Line) => void,
): Line {
  const program = new Line('tarishi');
  program.version(version, '-V, --version', 'show the version');
  program.configureHelp({ formatHelp: (_program, helper) => summary(groups, helper) });
  const nouns = new Map<string, Line>();
  for (const command of Object.values(groups).flat()) {
    const line = lineOf(command, (parsed) => run(command, parsed));
    const [noun = '', verb] = command.words.split(' ');
    if (verb === undefined) program.addCommand(line);
    else nounOf(noun).addCommand(line);
  }
  return program;

  function nounOf(noun: string): Line {
    const known = nouns.get(noun);
    if (known !== undefined) return known;
    const added = new Line(`tarishi ${noun}`);
    const own = Object.entries(groups).map(
      ([title, commands]) => [title, commands.filter(({ words }) => words.startsWith(`${noun} `))] as const,
    );
    const some = Object.fromEntries(own.filter(([, commands]) => commands.length > 0));
    added.configureHelp({ formatHelp: (_line, helper) => overview(some, helper) });
    nouns.set(noun, added);
    program.addCommand(added);
    return added;
  }
}

/** `help client add` is `client add --help`. An unknown command stays one. */
export function withoutHelpCommand(program: Line, words: readonly string[]): readonly string[] {
  if (words[0] !== 'help') return words;
  const [, first, ...rest] = words;
  if (first === undefined) return ['--help'];
  const known = program.commands.some((line) => line.name() === first);
  return known ? [first, ...rest, '--help'] : [first];
}

/** What people run most, in the order in which they need it. */
const mostUsed = [
  'start',
  'listen',
  'send',
  'doctor',
  'message show',
  'client add',
  'topup',
  'connector list',
  'opt-out list',
  'sandbox',
];

/** The most used commands as in `overview`, and the names of all. */
function summary(groups: Groups, helper: Help): string {
  const all = Object.values(groups).flat();
  const most = mostUsed.flatMap((words) => all.filter((command) => command.words === words));
  const width = Math.max(...Object.keys(groups).map((title) => title.length));
  const lines = Object.entries(groups).map(([title, commands]) =>
    helper.formatItem(title, width, namesOf(commands), helper),
  );
  return `${usage}\n\n${list('Most used', most, helper)}\nAll commands\n${lines.join('\n')}\n\n${ending(helper)}`;
}

/** `client list, add, set; topup` */
function namesOf(commands: readonly Command[]): string {
  const verbs = new Map<string, string[]>();
  for (const { words } of commands) {
    const [noun = '', ...verb] = words.split(' ');
    verbs.set(noun, [...(verbs.get(noun) ?? []), ...verb]);
  }
  return [...verbs].map(([noun, own]) => `${noun} ${own.join(', ')}`.trim()).join('; ');
}

/** Every command with its arguments, in groups. */
function overview(groups: Groups, helper: Help): string {
  const parts = Object.entries(groups).map(([title, commands]) => list(title, commands, helper, groups));
  return `${usage}\n\n${parts.join('\n')}\n${ending(helper)}`;
}

const usage = 'Usage: tarishi <command> [options]';

const ending = (helper: Help) =>
  `${helper.boxWrap(
    'tarishi <command> --help shows the options of a command, tarishi <noun> its commands, such as tarishi team. Settings such as DATABASE_URL and DATA_DIR come from the environment, as for the service.',
    helper.helpWidth ?? 80,
  )}\n`;

const termOf = (command: Command) => `${command.words} ${synopsisOf(command)}`.trim();

/** As wide as all of `aligned`. */
function list(
  title: string,
  commands: readonly Command[],
  helper: Help,
  aligned: Groups = { title: commands },
): string {
  const width = Math.max(...Object.values(aligned).flatMap((some) => some.map((one) => termOf(one).length)));
  const items = commands.map((command) => helper.formatItem(termOf(command), width, command.about, helper));
  return `${title}\n${items.join('\n')}\n`;
}
