/** What the kit says of one situation. */

export interface Situation {
  /** In kebab case, for `--only`. */
  name: string;
  /** What happens in it. */
  title: string;
  /** The guide that says what to do, and where in it. */
  guide: string;
}

export interface Verdict {
  /** What is wrong; empty: nothing. */
  findings: readonly string[];
  /** What could not be judged, and why. */
  unknown?: string | undefined;
}

export interface Result extends Verdict, Pick<Situation, 'name' | 'title' | 'guide'> {
  seconds: number;
  /** The client's calls, a line each, if it failed. */
  calls?: readonly string[];
}
