/** Loads the contract and prepares the copy of it that is enforced. */
import { load } from 'js-yaml';
import type { Document } from 'openapi-backend';
import { type Json, publicDocument, readDocument } from '../../platform/document.ts';

export interface ContractDocument {
  /** As published, in YAML: without extensions, which are for this service and its tools only. */
  text: string;
  /** The same, parsed. */
  published: Document;
  /** What Ajv compiles. */
  enforced: Document;
}

/** Keywords that say how long or what form a value may have, as opposed to what it is. */
export const lengthKeywords = ['minLength', 'maxLength', 'pattern', 'format', 'minimum', 'maximum'];
export const countKeywords = ['minItems', 'maxItems'];

/** Throws when the file cannot be read or is not YAML. */
export function loadDocument(file: URL = publicDocument): ContractDocument {
  const known = loaded.get(file.href);
  if (known !== undefined) return known;
  const { text, tree } = readDocument(file);
  const document = prepared(text, tree);
  loaded.set(file.href, document);
  return document;
}

/** By address: a document does not change while the process runs. */
const loaded = new Map<string, ContractDocument>();

/** Throws when the text is not YAML. */
export function parseDocument(text: string): ContractDocument {
  return prepared(text, load(text) as Json);
}

function prepared(text: string, tree: Json): ContractDocument {
  return {
    text: withoutExtensions(text),
    published: mapSchemas(tree, omitExtensions) as never,
    enforced: mapSchemas(tree, enforceable) as never,
  };
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
  const { securitySchemes = {} } = (published.components ?? {}) as { securitySchemes?: object };
  const [name, ...others] = Object.keys(securitySchemes);
  if (others.length > 0) throw new Error('the document has more than one security scheme');
  return name;
}

/** All scopes that the document offers. */
export function scopesOf({ published }: ContractDocument): string[] {
  const { securitySchemes } = published.components as unknown as Secured;
  return Object.keys(securitySchemes.oauth2.flows.clientCredentials.scopes);
}

interface Secured {
  securitySchemes: { oauth2: { flows: { clientCredentials: { scopes: object } } } };
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
