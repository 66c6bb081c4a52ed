/** The type of a `tarishi` command: its words, its arguments and options, and its action. */
import type { Secrets } from '../clients/secrets.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/knex.ts';
import type { Answer } from './answer.ts';

/**
 * An option of a command. `secret` is never written on the command line: it comes from `--name-file`,
 * `--name-env`, a prompt (`--name-ask`, or by itself when it is required) or the standard input.
 */
export type Option = {
  about: string;
  /** What the value is called in the help; by default the option's name. */
  value?: string;
  required?: boolean;
} & (
  | { kind: 'text' | 'list'; choices?: readonly string[]; matching?: { rule: RegExp; words: string } }
  | { kind: 'number'; min: number; max: number }
  | { kind: 'flag' }
  | { kind: 'secret' }
);

interface ValueOf {
  text: string;
  list: string[];
  number: number;
  flag: boolean;
  secret: string;
}

/** A list or flag that is not given is empty or false. */
type Value<O extends Option> = O['kind'] extends 'list' | 'flag'
  ? ValueOf[O['kind']]
  : ValueOf[O['kind']] | (O extends { required: true } ? never : undefined);

export type Values = Record<string, string | string[] | number | boolean | undefined>;

/** What a command works with. What it opens is closed when it ends. */
export interface Context {
  config: Config;
  /** Rejects with a CommandError when there is none that is up to date, or another process holds it. */
  database(): Promise<Database>;
  /** Rejects with a CommandError when the key is not the one of the database. */
  secrets(): Promise<Secrets>;
}

export interface Command {
  /** Such as `client add`. */
  words: string;
  /** One line, without a full stop. */
  about: string;
  /** Required, in their order; each is an id. */
  positionals: Readonly<Record<string, string>>;
  /** Follow the required ones and may be left out. */
  optionalPositionals: Readonly<Record<string, string>>;
  options: Readonly<Record<string, Option>>;
  /** False: there is never an answer, so no `--json`. */
  prints: boolean;
  run(values: Values, context: Context): Promise<Answer | undefined>;
}

/** A command whose `run` knows the types of what it takes. Names of options are written in kebab case. */
export function command<
  const P extends Record<string, string>,
  const O extends Record<string, Option>,
  const Q extends Record<string, string>,
>(definition: {
  words: string;
  about: string;
  positionals?: P;
  optionalPositionals?: Q;
  options?: O;
  prints?: boolean;
  run(
    values: { [K in keyof P]: string } & { [K in keyof Q]: string | undefined } & {
      [K in keyof O]: Value<O[K]>;
    },
    context: Context,
  ): Promise<Answer | undefined>;
}): Command {
  return {
    positionals: {},
    optionalPositionals: {},
    options: {},
    prints: true,
    ...definition,
    run: (values, context) => definition.run(values as never, context),
  };
}

/** What could not be done, in a sentence for the person who asked for it; exit code 1. */
export class CommandError extends Error {}

/** What is wrong with a command line, all of it; exit code 2. */
export class UsageError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}
