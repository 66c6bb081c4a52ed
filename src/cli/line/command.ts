/** The type of a `tarishi` command: its words, its arguments and options, and its action. */

import type { Management } from '../../manage/management.ts';
import type { Config } from '../../process/config.ts';
import type { Address, Service } from '../management/service.ts';
import type { Answer, Streamed } from './answer.ts';

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
  | { kind: 'number'; min: number; max: number }
  | { kind: 'flag' }
  /** `otherwise`: where an optional one comes from that is not given. */
  | { kind: 'secret'; otherwise?: string }
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
  /** The management API, of a running service or in this process. Rejects with a CommandError if neither is there. */
  service(address: Address): Promise<Service>;
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
  /** More about it, for its own help. */
  description: string | undefined;
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
  run(values: Values, context: Context): Promise<Answer | Streamed | undefined>;
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
  ): Promise<Answer | Streamed | undefined>;
}): Command {
  return {
    alias: undefined,
    description: undefined,
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
