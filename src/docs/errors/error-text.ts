/** The text of an error page, besides the sentence itself. */
import type { Rejection } from '../../platform/errors.ts';

export interface ErrorText {
  /** What readers search for: without what varies from case to case. */
  title: string;
  /** As the catalogue makes it; `…` stands for what varies. */
  rejection: Rejection;
  /** Markdown. Why the service says this. */
  cause: string;
  /** Markdown. What to do about it. */
  fix: string;
  /** Names of the document's examples, where they are not named like the sentence. */
  examples?: readonly string[];
}
