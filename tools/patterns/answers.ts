/** What the source text alone cannot decide: patterns built from values elsewhere, and justified exceptions. */
import { getCountries } from 'libphonenumber-js/mobile';
import { patternsOf } from '../../src/products/phone/parse.ts';

export type BuiltAnswer =
  /** All patterns that the file can build. */
  | { patterns: () => RegExp[] }
  /** Why none of them can take long. */
  | { reason: string };

/** By file, for calls of RegExp that depend on other files. */
export const builtPatterns: Readonly<Record<string, BuiltAnswer>> = {
  'src/products/phone/parse.ts': { patterns: () => getCountries().flatMap(patternsOf) },
  'src/cli/management/fields.ts': {
    reason:
      "patterns of the management document, which a test holds to linear time, on the operator's own words",
  },
  'src/contract/routes.ts': {
    reason: 'fixed text and the patterns of path parameters, which the document lists, joined by slashes',
  },
};

export interface Exception {
  file: string;
  source: string;
  reason: string;
}

/** Patterns that may stay although they can take more than linear time, or that the checker cannot judge. */
export const exceptions: readonly Exception[] = [
  {
    file: 'src/manage/access/masking.ts',
    source: String.raw`(?<kept>[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(?!\d))|(?:\+|%2B)(?:%2[089D]|[\s().\-‐-―]){0,2}\d(?:(?:%2[089D]|[\s().\-‐-―]){0,2}\d){6,14}|\d(?:(?:%2[089D]|[\s().\-‐-―]){0,2}\d){8,14}`,
    reason:
      'every repetition but that of a fraction of a second is bounded: some fifty characters from each place at most',
  },
];
