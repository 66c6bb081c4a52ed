/** Reads the documents of the APIs, as generated/ has them, once in a process. */
import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface ReadDocument {
  /** As it is written, in YAML. */
  text: string;
  /** The same, parsed. */
  tree: Json;
}

/** Of the API that clients call. */
export const publicDocument = new URL('../../generated/openapi.yaml', import.meta.url);

/** By address: a document does not change while the process runs. */
const read = new Map<string, ReadDocument>();

/** Throws when the file cannot be read or is not YAML. */
export function readDocument(file: URL): ReadDocument {
  const known = read.get(file.href);
  if (known !== undefined) return known;
  const text = readFileSync(file, 'utf8');
  const document = { text, tree: load(text) as Json };
  read.set(file.href, document);
  return document;
}
