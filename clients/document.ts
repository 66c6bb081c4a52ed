/** What the clients are written from: the schemas and operations of the OpenAPI document, with all words. */
import { readDocument } from '../src/contract/document.ts';
import { mediaOf, operationsOf, webhooksOf } from '../src/contract/operations.ts';
import { followed, nameOfReference } from '../src/contract/references.ts';
import type { Schema, Tree } from '../src/contract/types.ts';

export type { DocumentedOperation, Schema } from '../src/contract/types.ts';

const document: Tree = readDocument('openapi');
export const { schemas } = document.components;

export function schemaNamed(name: string): Schema {
  const schema = schemas[name];
  if (schema === undefined) throw new Error(`no schema ${name}`);
  return schema;
}

/** With its reference followed. */
export const resolved = (schema: Schema): Schema => followed(document, schema);

/** Those that need a token. */
export const operations = operationsOf(document).filter(({ operationId }) => operationId !== 'issueToken');

/** What the document says of a tag. */
export const themeOf = (tag: string | undefined): string =>
  document.tags?.find(({ name }) => name === tag)?.description?.trim() ?? '';

/** What is posted to a callback URL, by the value of `type`. */
export const posted: readonly string[] = webhooksOf(document).map(({ requestBody }) =>
  nameOfReference(mediaOf(requestBody)?.schema ?? {}),
);
