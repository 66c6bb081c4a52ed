/** Commands as commander parses them: all faults of a command line are kept, instead of the first one ending it. */
import { Command as Commander, Option as CommanderOption } from 'commander';
import type { Command, Option } from './command.ts';

/** Narrow enough for every terminal. */
const helpColumns = 80;

/** The words of an option on a command line: one for each time it is written; `true` for a flag. */
export type Written = readonly (string | true)[];

export class Line extends Commander {
  /** What commander found wrong. */
  readonly faults: string[] = [];
  /** Called like this, with the words in front, such as `tarishi team add`. */
  readonly path: string;

  constructor(path: string) {
    super(path.slice(path.lastIndexOf(' ') + 1));
    this.path = path;
    this.exitOverride();
    this.configureOutput({ getOutHelpWidth: () => helpColumns, getErrHelpWidth: () => helpColumns });
    this.configureHelp({ styleUsage: wrapped });
    this.helpOption('-h, --help', 'show this help');
    this.helpCommand(false);
    this.allowExcessArguments();
  }

  /** commander calls it for each fault, and goes on if it returns. */
  override error(message: string): never {
    const [, above = ''] = /^tarishi ?(.*)$/.exec(this.path) ?? [];
    const full = above === '' ? '' : `${above} `;
    this.faults.push(
      message
        .replace(/^error: /, '')
        .replace(/^unknown command '/, `unknown command '${full}`)
        .replace(
          /\n\(Did you mean (one of )?(.*)\?\)$/,
          (_, several = '', names: string) =>
            `; did you mean ${several}${names.startsWith('-') ? '' : full}${names}?`,
        ),
    );
    return undefined as never;
  }
}

/** The usage in lines that fit; an option stays with its value. */
export function wrapped(usage: string): string {
  const lines: string[] = [];
  for (const word of usage.match(/--\S+ <\S+>|\S+/g) ?? []) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= helpColumns - usageIndent.length)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join(`\n${usageIndent}`);
}

const usageIndent = '       ';

/** The line of one command; `run` gets it once it is parsed. */
export function lineOf(command: Command, run: (line: Line) => void): Line {
  const { words, alias, about, description, positionals, optionalPositionals, rest, options, prints } =
    command;
  const line = new Line(`tarishi ${words}`);
  const sentence = `${about[0]?.toUpperCase()}${about.slice(1)}.`;
  line
    .description(description === undefined ? sentence : `${sentence} ${description}`)
    .usage(usageOf(command));
  if (alias !== undefined) line.alias(alias);
  if (rest !== undefined) line.argument('[rest...]', rest);
  for (const [name, what] of Object.entries({ ...positionals, ...optionalPositionals }))
    line.argument(`[${name}]`, what);
  for (const [name, option] of Object.entries(options))
    for (const [flags, text] of option.kind === 'secret'
      ? secretFlags(name, option)
      : [flagsOf(name, option)])
      line.addOption(optionOf(flags, text));
  if (prints) line.addOption(optionOf('--json', 'print JSON'));
  return line.action(() => run(line));
}

/** The arguments after the command's words. */
export function usageOf({ positionals, optionalPositionals, rest, options }: Command): string {
  const required = Object.entries(options)
    .filter(([, option]) => option.required && option.kind !== 'secret')
    .map(([name, option]) => written(name, option));
  return [
    synopsisOf({ positionals, optionalPositionals }),
    ...required,
    '[options]',
    ...(rest === undefined ? [] : [`-- <${rest}>`]),
  ]
    .join(' ')
    .trimStart();
}

export function synopsisOf({
  positionals,
  optionalPositionals,
}: Pick<Command, 'positionals' | 'optionalPositionals'>): string {
  return [
    ...Object.keys(positionals).map((name) => `<${name}>`),
    ...Object.keys(optionalPositionals).map((name) => `[<${name}>]`),
  ].join(' ');
}

/** `--no-x` is an option like any other, and each keeps all of its values. */
function optionOf(flags: string, text: string): CommanderOption {
  const option = new CommanderOption(flags, text);
  option.negate = false;
  option.attributeName = () => option.name();
  option.argParser<Written>((value: string | undefined, before: Written = []) => {
    const one = option.required ? value : true;
    return one === undefined ? before : [...before, one];
  });
  return option;
}

function flagsOf(name: string, option: Option): [string, string] {
  const choices = 'choices' in option && option.choices ? `: ${option.choices.join(', ')}` : '';
  const again = option.kind === 'list' ? '; may be repeated' : '';
  return [written(name, option), `${option.about}${choices}${again}${option.required ? ' (required)' : ''}`];
}

function written(name: string, { kind, value }: Option): string {
  return kind === 'flag' ? `--${name}` : `--${name} <${value ?? name}>`;
}

function secretFlags(
  name: string,
  { about, required, otherwise }: Extract<Option, { kind: 'secret' }>,
): [string, string][] {
  const file = `read ${about} from a file (- for standard input)`;
  const byDefault = required
    ? '; by default you are prompted'
    : otherwise && `; by default it is ${otherwise}`;
  return [
    [`--${name}-file <path>`, `${file}${byDefault ?? ''}`],
    [`--${name}-env <variable>`, `read ${about} from an environment variable`],
    ...(required ? [] : ([[`--${name}-ask`, `prompt for ${about}`]] as [string, string][])),
  ];
}
