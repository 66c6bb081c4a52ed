/** What stands on the command line for a property or parameter of an operation. */

import type { Input } from '../../contract/management.ts';
import type { Option, Values } from '../line/command.ts';

/** One property or parameter on the command line. */
export interface Field {
  input: Input;
  /** Such as `--name`, or `<client>`. */
  shownAs: string;
  /** None for an argument. */
  options: Readonly<Record<string, Option>>;
  /** Its value; undefined if none is given. `before`: the resource that the command changes. Throws a UsageError. */
  read: (values: Values, before: Readonly<Record<string, unknown>>) => unknown;
}

export interface Argument extends Field {
  name: string;
  about: string;
  matching: TextRule;
}

export interface TextRule {
  rule: RegExp;
  words: string;
}
