/** Reads the documents of the APIs, as generated/ has them, and prepares the copy that is enforced. */
import { readFileSync } from 'node:fs';
import { own } from '../platform/text/own.ts';
import type { Tree } from './types.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Of the API that clients call, that of operators, and that of tests of the sandbox. */
export type DocumentName = 'openapi' | 'management' | 'sandbox';

export interface ContractDocument {
  /** As published, in YAML: without extensions, which are for this service and its tools only. */
  text: string;
  /** The same, parsed. */
  published: Tree;
  /** What Ajv compiles, with the words of our own. */
  enforced: Tree;
}

/** Keywords that say how long or what form a value may have, as opposed to what it is. */
export const lengthKeywords = ['minLength', 'maxLength', 'pattern', 'format', 'minimum', 'maximum'];
export const countKeywords = ['minItems', 'maxItems'];

/** Each is prepared once: a document does not change while the process runs. Throws when its file cannot be read. */
export function loadDocument(name: DocumentName = 'openapi'): ContractDocument {
  const document = loaded.get(name) ?? documentOf(readDocument(name), () => readGenerated(`${name}.yaml`));
  loaded.set(name, document);
  return document;
}

const loaded = new Map<DocumentName, ContractDocument>();

/** A copy of a document as it is, with all extensions. Its JSON is read ten times as fast as its YAML. */
export function readDocument(name: DocumentName): ReturnType<typeof JSON.parse> {
  return JSON.parse(readGenerated(`${name}.json`));
}

function readGenerated(file: string): string {
  return readFileSync(new URL(`../../generated/${file}`, import.meta.url), 'utf8');
}

/** `text`: the same as YAML. Each form is made when it is first asked for: most commands need one of them. */
export function documentOf(tree: Json, text: () => string): ContractDocument {
  return {
    get text() {
      return keep(this, 'text', withoutExtensions(text()));
    },
    get published() {
      return keep(this, 'published', mapSchemas(tree, omitExtensions) as never);
    },
    get enforced() {
      return keep(this, 'enforced', mapSchemas(tree, enforceable) as never);
    },
  };
}

/** Puts a value in the place of the getter that made it. */
function keep<Value>(object: object, name: string, value: Value): Value {
  Object.defineProperty(object, name, { value, enumerable: true });
  return value;
}

const extension = /^x-/;

function omitExtensions(node: { [key: string]: Json }): { [key: string]: Json } {
  return omit(
    node,
    Object.keys(node).filter((key) => extension.test(key)),
  );
}

/** Leaves out the lines of each extension; comments and the form of all others stay. */
function withoutExtensions(text: string): string {
  let skippedIndent = Number.POSITIVE_INFINITY;
  const kept = text.split('\n').filter((line) => {
    const indent = line.search(/\S/);
    if (indent === -1) return skippedIndent === Number.POSITIVE_INFINITY;
    if (indent > skippedIndent) return false;
    skippedIndent = extension.test(line.slice(indent)) ? indent : Number.POSITIVE_INFINITY;
    return skippedIndent === Number.POSITIVE_INFINITY;
  });
  return kept.join('\n');
}

/** The name of the document's security scheme; undefined if all operations are open. Throws if there are several. */
export function securitySchemeOf({ published }: ContractDocument): string | undefined {
  const [name, ...others] = Object.keys(published.components?.securitySchemes ?? {});
  if (others.length > 0) throw new Error('the document has more than one security scheme');
  return name;
}

/** All scopes that the document offers. */
export function scopesOf({ published }: ContractDocument): string[] {
  const scheme = own(published.components?.securitySchemes, 'oauth2');
  return scheme?.type === 'oauth2' ? Object.keys(scheme.flows.clientCredentials?.scopes ?? {}) : [];
}

/**
 * Ajv's discriminator rejects `mapping`. And where `x-enforced-by` names a rule of ours, the limits beside it tell
 * clients what the rule checks at its own place in the order of checks.
 */
function enforceable(node: { [key: string]: Json }): { [key: string]: Json } {
  const { discriminator } = node;
  if (discriminator !== null && typeof discriminator === 'object' && 'mapping' in discriminator) {
    const { mapping: _, ...rest } = discriminator;
    return { ...node, discriminator: rest };
  }
  return 'x-enforced-by' in node ? omit(node, lengthKeywords) : node;
}

/** Copies a tree, with `change` applied to each of its objects. */
export function mapSchemas(
  node: Json,
  change: (node: { [key: string]: Json }) => { [key: string]: Json },
): Json {
  if (Array.isArray(node)) return node.map((item) => mapSchemas(item, change));
  if (node === null || typeof node !== 'object') return node;
  const changed = change(node);
  return Object.fromEntries(Object.entries(changed).map(([key, value]) => [key, mapSchemas(value, change)]));
}

export function omit(node: { [key: string]: Json }, keys: readonly string[]): { [key: string]: Json } {
  return Object.fromEntries(Object.entries(node).filter(([key]) => !keys.includes(key)));
}
