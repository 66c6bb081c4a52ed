/** Reads the documents of this folder for tests and tools. */
import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';

/** `name` is for instance `openapi` or `released/openapi`. */
export function readDocument(name: string): ReturnType<typeof JSON.parse> {
  return load(readFileSync(new URL(`${name}.yaml`, import.meta.url), 'utf8'));
}
