/** Tells which sentence of the catalogue a response has, whatever numbers and names fill it. */
import { errors } from '../../../src/platform/errors.ts';

/** The sentences of the catalogue with their variable parts open, the most particular first. */
export const sentences = Object.entries(errors)
  .map(([name, make]) => ({ name, pattern: patternOf(make as (...values: never[]) => Error) }))
  .filter(({ pattern }) => pattern.source !== '^.*$')
  .sort((one, other) => other.pattern.source.length - one.pattern.source.length);

/** The name in the catalogue; violations of the schema are one kind, but for those with a published sentence. */
export function sentenceOf(text: string): string {
  const known = sentences.find(({ pattern }) => pattern.test(text))?.name;
  if (known !== undefined) return known;
  if (/^(\/|The request body must be |Query parameter \w+ must be )/.test(text)) return 'schemaViolation';
  return text.replace(/\/\S*/, '{pointer}');
}

function patternOf(make: (...values: never[]) => Error): RegExp {
  const blank = '\u0001';
  // More than any sentence has; a list of one is written like the one.
  const values = Array.from({ length: 10 }, () => [blank]);
  const { message } = make(...(values as never[]));
  const escaped = message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll(blank, '.*')}$`, 's');
}
