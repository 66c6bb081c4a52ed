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
  program.configureHelp({ formatHelp: (_program, helper) => overview(groups, helper) });
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

/** Every command with its arguments, in groups. */
function overview(groups: Groups, helper: Help): string {
  const termOf = (command: Command) => `${command.words} ${synopsisOf(command)}`.trim();
  const width = Math.max(
    ...Object.values(groups)
      .flat()
      .map((command) => termOf(command).length),
  );
  const parts = Object.entries(groups).map(
    ([title, commands]) =>
      `${title}\n${commands.map((command) => helper.formatItem(termOf(command), width, command.about, helper)).join('\n')}\n`,
  );
  const ending =
    'tarishi <command> --help shows the options of a command. Settings such as DATABASE_URL and DATA_DIR come from the environment, as for the service.';
  return `Usage: tarishi <command> [options]\n\n${parts.join('\n')}\n${helper.boxWrap(ending, helper.helpWidth ?? 80)}\n`;
}
