/** Reads the documents, as bundled, for tests and tools. */
import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';

/** `name` is for instance `openapi` or `management`. */
export function readDocument(name: string): ReturnType<typeof JSON.parse> {
  return load(readFileSync(new URL(`../generated/${name}.yaml`, import.meta.url), 'utf8'));
}
