/** A regular expression of the project, and where it is written. */
export interface Pattern {
  /** From the project's root. */
  file: string;
  /** From 1. */
  line: number;
  source: string;
  flags: string;
}

/** A place that makes a regular expression from values that are not in its own file. */
export interface BuiltPattern {
  file: string;
  line: number;
}
