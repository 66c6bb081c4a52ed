/** The values that each parameter format accepts, and the error for all others. */
import { sentences } from '../../platform/errors/parameters.ts';
import type { ParamFormat } from './template.ts';

interface Format {
  accepts: RegExp;
  refusal: (name: string) => string;
}

/** Letters are those of any script, and so are the digits of Alphanumeric. Values are judged in their NFC form. */
export const formats: Readonly<Record<ParamFormat, Format | undefined>> = {
  // Braces and control characters are forbidden in every format; there is nothing else to reject.
  PlainText: undefined,
  Alphanumeric: { accepts: /^[\p{L}\p{Nd}]+$/u, refusal: sentences.alphanumeric },
  Numeric: { accepts: /^[0-9]+$/, refusal: sentences.numeric },
  Name: { accepts: /^[\p{L}\p{M} .'’-]+$/u, refusal: sentences.personName },
};
