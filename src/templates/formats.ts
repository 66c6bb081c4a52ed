/** What each format of a template parameter accepts, and in which words it refuses. */
import type { ParamFormat } from './template.ts';

interface Format {
  accepts: RegExp;
  /** The rule, as it ends the sentence of a refusal. */
  rule: string;
}

/** Letters are those of any script, and so are the digits of Alphanumeric. */
export const formats: Readonly<Record<ParamFormat, Format | undefined>> = {
  // Braces and control characters are forbidden whatever the format; nothing is left to refuse.
  PlainText: undefined,
  Alphanumeric: { accepts: /^[\p{L}\p{Nd}]+$/u, rule: 'must be alphanumeric' },
  Numeric: { accepts: /^[0-9]+$/, rule: 'must be numeric' },
  Name: { accepts: /^[\p{L}\p{M} .'’-]+$/u, rule: 'must be a valid name' },
};
