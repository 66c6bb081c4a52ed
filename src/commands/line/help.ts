/** Renders the help texts of commands. */
import { aligned } from './answer.ts';
import type { Command, Option } from './command.ts';

/** All commands, in groups. */
export function overview(groups: Readonly<Record<string, readonly Command[]>>): string {
  const rows = Object.values(groups).flatMap((commands) =>
    commands.map((command) => `  ${synopsis(command)}`),
  );
  const width = Math.max(...rows.map((row) => row.length));
  const parts = Object.entries(groups).map(
    ([title, commands]) =>
      `${title}\n${commands
        .map((command) => `  ${synopsis(command).padEnd(width - 2)}   ${command.about}`)
        .join('\n')}\n`,
  );
  return `Usage: tarishi <command> [options]

${parts.join('\n')}
tarishi <command> --help tells the options of a command. Settings such as DATABASE_URL and DATA_DIR come from the
environment, as for the service.
`;
}

/** One command and its options. */
export function helpOf(command: Command): string {
  const { about, positionals, optionalPositionals, options, prints } = command;
  const lines = [
    ...Object.entries({ ...positionals, ...optionalPositionals }).map(([name, what]) => [
      `  <${name}>`,
      what,
    ]),
    ...Object.entries(options).flatMap(([name, option]) =>
      option.kind === 'secret' ? secretLines(name, option) : [[`  ${written(name, option)}`, said(option)]],
    ),
    ...(prints ? [['  --json', 'print JSON']] : []),
    ['  --help', 'print this'],
  ];
  const required = Object.entries(options)
    .filter(([, option]) => option.required && option.kind !== 'secret')
    .map(([name, option]) => ` ${written(name, option)}`);
  return `Usage: tarishi ${synopsis(command)}${required.join('')} [options]

${about[0]?.toUpperCase()}${about.slice(1)}.

${aligned(lines)}
`;
}

function synopsis({ words, positionals, optionalPositionals }: Command): string {
  const required = Object.keys(positionals).map((name) => `<${name}>`);
  const optional = Object.keys(optionalPositionals).map((name) => `[<${name}>]`);
  return [words, ...required, ...optional].join(' ');
}

function written(name: string, { kind, value }: Option): string {
  return kind === 'flag' ? `--${name}` : `--${name} <${value ?? name}>`;
}

function said(option: Option): string {
  const choices = 'choices' in option && option.choices ? `: ${option.choices.join(', ')}` : '';
  const again = option.kind === 'list' ? '; may be repeated' : '';
  return `${option.about}${choices}${again}${option.required ? ' (required)' : ''}`;
}

function secretLines(name: string, { about, required }: Option): string[][] {
  return [
    [
      `  --${name}-file <path>`,
      `read ${about} from a file (- for standard input)${required ? '; by default you are prompted' : ''}`,
    ],
    [`  --${name}-env <variable>`, `read ${about} from an environment variable`],
    ...(required ? [] : [[`  --${name}-ask`, `prompt for ${about}`]]),
  ];
}
