/** The type of a `tarishi` command: its words, its arguments and options, and its action. */
import type { Config } from '../../config.ts';
import type { Management } from '../../manage/management.ts';
import type { Answer, Document } from './answer.ts';

/**
 * An option of a command. `secret` is never written on the command line: it comes from `--name-file`,
 * `--name-env`, a prompt (`--name-ask`, or by itself when it is required) or the standard input.
 */
export type Option = {
  about: string;
  /** Name of the value in the help; by default the option's name. */
  value?: string;
  required?: boolean;
} & (
  | { kind: 'text' | 'list'; choices?: readonly string[]; matching?: { rule: RegExp; words: string } }
  | {
      kind: 'number';
      min: number;
      max: number;
      /** Says more about a number that does not fit than the range does. */
      fault?: (value: number) => string | undefined;
    }
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

/** An omitted list is empty, an omitted flag false. */
type Value<O extends Option> = O['kind'] extends 'list' | 'flag'
  ? ValueOf[O['kind']]
  : ValueOf[O['kind']] | (O extends { required: true } ? never : undefined);

export type Values = Record<string, string | string[] | number | boolean | undefined>;

/** The context of a command. Everything that it opens is closed when the command ends. */
export interface Context {
  config: Config;
  /** Of this process, for programs that a command runs. */
  environment: Readonly<Record<string, string | undefined>>;
  /**
   * What the management functions need. Rejects with a CommandError if the database does not exist, is not up to
   * date, or is in use by another process.
   */
  management(): Promise<Management>;
}

export interface Command {
  /** Such as `client add`. */
  words: string;
  /** Another last word that works, such as `edit`. */
  alias: string | undefined;
  /** One line, without a full stop. */
  about: string;
  /** Required, in their order; each is an id unless `matching` says otherwise. */
  positionals: Readonly<Record<string, string>>;
  /** Optional; they follow the required ones. */
  optionalPositionals: Readonly<Record<string, string>>;
  /** What the words behind `--` are, if the command takes any: a program with its arguments. */
  rest: string | undefined;
  options: Readonly<Record<string, Option>>;
  /** Rules for the positionals that are not ids. */
  matching: Readonly<Record<string, { rule: RegExp; words: string }>>;
  /** False if the command prints nothing, or a document of its own form, so it has no `--json`. */
  prints: boolean;
  run(values: Values, context: Context): Promise<Answer | Document | undefined>;
}

/** A command whose `run` gets typed arguments. Option names are in kebab case. */
export function command<
  const P extends Record<string, string>,
  const O extends Record<string, Option>,
  const Q extends Record<string, string>,
>(definition: {
  words: string;
  alias?: string;
  about: string;
  positionals?: P;
  optionalPositionals?: Q;
  rest?: string;
  options?: O;
  matching?: Command['matching'];
  prints?: boolean;
  run(
    values: { [K in keyof P]: string } & { [K in keyof Q]: string | undefined } & {
      [K in keyof O]: Value<O[K]>;
    } & { rest: string[] },
    context: Context,
  ): Promise<Answer | Document | undefined>;
}): Command {
  return {
    alias: undefined,
    positionals: {},
    optionalPositionals: {},
    rest: undefined,
    options: {},
    matching: {},
    prints: true,
    ...definition,
    run: (values, context) => definition.run(values as never, context),
  };
}

/** The command failed; the message is for the person who ran it. Exit code 1. */
export class CommandError extends Error {}

/** All faults of a command line. Exit code 2. */
export class UsageError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}
