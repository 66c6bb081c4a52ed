/** Completion of command lines: scripts for shells, made from the commands themselves. */
import { type Command, command } from '../line/command.ts';
import { lineOf } from '../line/commander.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** `all`: what is completed; read when the command runs. */
export function completionCommands(all: () => readonly Command[]): readonly Command[] {
  return [
    command({
      words: 'completion',
      about: `print a script that completes commands and options: ${shells.join(', ')}`,
      positionals: { shell: shells.join(', ') },
      matching: { shell: { rule: /^(?:bash|zsh|fish)$/, words: shells.join(', ') } },
      prints: false,
      run: async ({ shell }) => ({ parts: parts(completionScript(shell as Shell, all())) }),
    }),
  ];
}

async function* parts(text: string) {
  yield text;
}

interface Flag {
  /** Such as `--team`. */
  name: string;
  about: string;
  /** Undefined: any value, or none. */
  choices: readonly string[] | undefined;
}

export function completionScript(shell: Shell, commands: readonly Command[]): string {
  const lines = commands.map((one) => ({ words: one.words, about: one.about, flags: flagsOf(one) }));
  return shell === 'fish' ? fish(lines) : `${shell === 'zsh' ? zshHead : ''}${bash(lines)}`;
}

interface CompletedLine {
  words: string;
  about: string;
  flags: Flag[];
}

function flagsOf(one: Command): Flag[] {
  const options = new Map(Object.entries(one.options));
  return lineOf(one, () => {}).options.map(({ long, description }) => {
    const name = long ?? '';
    const option = options.get(name.slice(2));
    const choices = option !== undefined && 'choices' in option ? option.choices : undefined;
    return { name, about: description, choices };
  });
}

/** zsh runs functions of bash. */
const zshHead = `(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
autoload -Uz bashcompinit && bashcompinit
`;

/** A line per command with its options, and one per option with its choices: no process is started for a completion. */
function bash(lines: readonly CompletedLine[]): string {
  const table = lines.flatMap(({ words, flags }) => [
    `${words}|${flags.map(({ name }) => name).join(' ')}`,
    ...flags.flatMap(({ name, choices }) =>
      choices === undefined ? [] : `${words} ${name}|${choices.join(' ')}`,
    ),
  ]);
  return `_tarishi_table='
${table.join('\n')}
'
_tarishi() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" typed= found= known follows place
  for ((place = 1; place < COMP_CWORD; place++)); do
    [[ "\${COMP_WORDS[place]}" == -* ]] && break
    typed+="\${COMP_WORDS[place]} "
  done
  while IFS='|' read -r known follows; do
    if [[ "$known" == *" $before" && "$before" == --* ]]; then
      [[ "$typed" == "\${known% *} "* ]] && found+=" $follows"
    elif [[ "$current" == -* ]]; then
      [[ "$typed" == "$known "* ]] && found+=" $follows"
    elif [[ "$known" != *--* && "$known " == "$typed"* ]]; then
      known="\${known:\${#typed}}"
      found+=" \${known%% *}"
    fi
  done <<< "$_tarishi_table"
  COMPREPLY=($(compgen -W "$found" -- "$current"))
}
complete -o default -F _tarishi tarishi
`;
}

function fish(lines: readonly CompletedLine[]): string {
  const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;
  const nouns = [
    ...new Set(lines.flatMap(({ words }) => (words.includes(' ') ? (words.split(' ')[0] ?? []) : []))),
  ];
  const seen = (words: string) =>
    words
      .split(' ')
      .map((word) => `__fish_seen_subcommand_from ${word}`)
      .join('; and ');
  const add = (when: string, what: string, about: string) =>
    `complete -c tarishi -n ${quoted(when)} ${what} -d ${quoted(about)}`;
  return [
    'complete -c tarishi -f',
    ...nouns.map((noun) => add('__fish_use_subcommand', `-a ${noun}`, '')),
    ...lines.flatMap(({ words, about, flags }) => {
      const [first = '', second] = words.split(' ');
      const others = lines.flatMap((one) =>
        one.words.startsWith(`${first} `) ? (one.words.split(' ')[1] ?? []) : [],
      );
      const name =
        second === undefined
          ? add('__fish_use_subcommand', `-a ${first}`, about)
          : add(
              `${seen(first)}; and not __fish_seen_subcommand_from ${others.join(' ')}`,
              `-a ${second}`,
              about,
            );
      return [
        name,
        ...flags.map(({ name: flag, about: what, choices }) =>
          add(
            seen(words),
            `-l ${flag.slice(2)}${choices === undefined ? '' : ` -xa ${quoted(choices.join(' '))}`}`,
            what,
          ),
        ),
      ];
    }),
    '',
  ].join('\n');
}
