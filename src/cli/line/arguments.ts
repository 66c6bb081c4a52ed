/** Reads the values of a parsed command line strictly and reports all faults at once. */

import { own } from '../../platform/text/own.ts';
import type { Command, Option, Values } from './command.ts';
import { type Line, lineOf, type Written } from './commander.ts';
import { UsageError } from './errors.ts';

/** Where the value of a secret comes from; undefined: the terminal or the standard input. */
export type SecretSource = { file: string } | { variable: string } | undefined;

/** Of arguments without a rule of their own. */
const idRule = { rule: /^[A-Za-z0-9_-]{1,64}$/, words: '1 to 64 letters, digits, - and _' };

const secretSources = ['file', 'env', 'ask'] as const;

export interface Arguments {
  values: Values;
  secrets: Record<string, SecretSource>;
  json: boolean;
}

/** `words` are the arguments after the command's own words. Throws a UsageError. */
export function readArguments(command: Command, words: readonly string[]): Arguments {
  const line = lineOf(command, () => {});
  line.parse(words, { from: 'user' });
  return argumentsOf(command, line);
}

/** The values of a parsed line. Throws a UsageError with all faults. */
export function argumentsOf(command: Command, line: Line): Arguments {
  const given = line.opts<Record<string, Written | undefined>>();
  const faults: string[] = [...line.faults];
  // Behind an unknown option commander cannot tell its value from an argument.
  const positionals = faults.length === 0 ? line.args : line.args.filter((word) => !word.startsWith('-'));
  const values: Values = {};
  const secrets: Arguments['secrets'] = {};
  for (const [name, all] of Object.entries(given))
    if (all !== undefined && all.length > 1 && own(command.options, name)?.kind !== 'list')
      faults.push(`--${name} is given more than once`);

  const required = Object.keys(command.positionals);
  const names = [...required, ...Object.keys(command.optionalPositionals)];
  for (const [index, name] of names.entries()) {
    const value = positionals[index];
    if (value === undefined && index >= required.length) continue;
    if (value === undefined) faults.push(`<${name}> is missing`);
    else {
      const { rule, words } = own(command.matching, name) ?? idRule;
      if (!rule.test(value)) faults.push(`<${name}> must be ${words}`);
    }
    values[name] = value;
  }
  if (command.rest !== undefined) values.rest = positionals.slice(names.length);
  else if (line.faults.length === 0)
    for (const extra of positionals.slice(names.length)) faults.push(`unexpected argument '${extra}'`);

  for (const [name, option] of Object.entries(command.options)) {
    if (option.kind === 'secret') {
      const [file] = own(given, `${name}-file`) ?? [];
      const [variable] = own(given, `${name}-env`) ?? [];
      const sources = secretSources.filter((source) => own(given, `${name}-${source}`) !== undefined);
      if (sources.length > 1)
        faults.push(`${sources.map((source) => `--${name}-${source}`).join(' and ')} cannot be combined`);
      if (file !== undefined) secrets[name] = { file: String(file) };
      else if (variable !== undefined) secrets[name] = { variable: String(variable) };
      else if (option.required || sources.length > 0) secrets[name] = undefined;
      continue;
    }
    const all = own(given, name) ?? [];
    if (option.required && all.length === 0) faults.push(`--${name} is missing`);
    values[name] = readers[option.kind](name, option as never, all as never, faults);
  }
  if (faults.length > 0) throw new UsageError(faults);
  return { values, secrets, json: given.json !== undefined };
}

type Kind<K extends Option['kind']> = Option & { kind: K };

/** The value of an option from all its occurrences; undefined if there are none. */
const readers: {
  [K in Exclude<Option['kind'], 'secret'>]: (
    name: string,
    option: Kind<K>,
    given: K extends 'flag' ? readonly boolean[] : readonly string[],
    faults: string[],
  ) => Values[string];
} = {
  flag: (_name, _option, given) => given.length > 0,
  list: (name, option, given, faults) => given.map((text) => checked(name, option, text, faults)),
  text: (name, option, [text], faults) =>
    text === undefined ? undefined : checked(name, option, text, faults),
  number: (name, { min, max }, [text], faults) => {
    if (text === undefined) return undefined;
    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max))
      faults.push(`--${name} must be a whole number from ${min} to ${max}`);
    return Number(text);
  },
};

function checked(name: string, option: Kind<'text' | 'list'>, text: string, faults: string[]): string {
  const { choices, matching } = option;
  if (text === '') faults.push(`--${name} must not be empty`);
  else if (choices !== undefined && !choices.includes(text))
    faults.push(`--${name} must be one of ${choices.join(', ')}`);
  else if (matching !== undefined && !matching.rule.test(text))
    faults.push(`--${name} must be ${matching.words}`);
  return text;
}
