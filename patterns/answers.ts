/** What the source text alone cannot decide: patterns built from values elsewhere, and justified exceptions. */
import { getCountries } from 'libphonenumber-js/mobile';
import { patternsOf } from '../src/products/phone/parse.ts';

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
  'src/http/contract/routing.ts': {
    reason: 'fixed text and the patterns of path parameters, which the document lists, joined by slashes',
  },
};

export interface Exception {
  file: string;
  source: string;
  reason: string;
}

/** Patterns that may stay although they can take more than linear time, or that the checker cannot judge. */
export const exceptions: readonly Exception[] = [];
