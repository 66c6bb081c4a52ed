/** What the documents say in words of our own, beside OpenAPI's: for the command line, the console, rate limits and the clients. */

/** A property as a column, or a title with the path of a property, such as `{ client: client.id }`. */
export type Column = string | Record<string, string>;

/** Words for a property or parameter, where the terminal needs others than its name. */
export interface OptionWords {
  /** Instead of its name in kebab case, without `Id` at the end. */
  name?: string;
  /** The flag that gives null or an empty list, instead of `--no-NAME`. */
  clear?: string;
  /** What it is if the option is omitted. */
  default?: string;
  /** How it is written, if not as the value itself: one of forms.ts. */
  form?: string;
  /** How each value is written, such as `name=value`. */
  value?: string;
}

/** Words for an operation: one command, or several that each set some of its properties. */
export interface CommandWords {
  words: string;
  alias?: string;
  /** Instead of the summary. */
  about?: string;
  /** Properties and parameters that are arguments; those of the path always are. */
  arguments?: string[];
  /** Only these properties are options; all if omitted. */
  options?: string[];
  /** Properties that this command sets by itself. */
  sets?: Record<string, unknown>;
  /** The property of the answer whose entries are the rows of the table. */
  rows?: string;
  columns?: Column[];
  /** Each of the rows is a step of a message, and words for people say what became of it behind the answer. */
  tells?: 'messages';
  /** For people, behind the answer. */
  note?: string;
  /** The property of the answer that says that the command failed, and why. */
  fails?: string;
  /** How many items are shown of a list that is long, unless `--limit` says otherwise. */
  limit?: number;
  /** Called again while this property of the answer is true; numbers are added up. */
  repeats?: string;
  /** A property that is a text of lines, sent in parts if it is long, the one that numbers them, and the one that counts them. */
  splits?: { text: string; number: string; total?: string };
  /** The operation that lists what `--all` stands for. */
  all?: string;
  /** The answer has no end: it is written page by page, in this way. */
  streams?: 'csv' | 'statement';
}

/** `x-limit` of an operation. */
export interface LimitWords {
  /** A call counts once, or as many times as it has recipients. */
  counts: 'recipients' | 'calls';
  /** What is counted, as in the error. */
  noun: string;
  /** Per team, unless the setting has another number. */
  perSecond: number;
  setting?: string;
}

/** Words for the method that calls an operation in the clients of clients/. */
export interface ClientWords {
  /** `group.name`. */
  method: string;
  /** Instead of the operation's own, which speaks of the body. */
  description?: string;
  /** The property of the response that the method returns; all of it by default. */
  returns?: string;
  /** Whether a second call changes nothing, so that it may be repeated after a lost response. Every GET is. */
  isHarmless?: boolean;
  /** What the body is composed of, by hand; by default the arguments are its properties. */
  arguments?: Record<string, { type: string; description: string; isRequired?: boolean }>;
  /** The operation that has the same arguments. */
  argumentsOf?: string;
}
