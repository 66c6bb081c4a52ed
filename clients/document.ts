/** What the types of all clients are written from: the schemas and operations of the OpenAPI document. */
import { readDocument } from '../spec/read.ts';

export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  const?: string;
  default?: unknown;
  enum?: string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  description?: string;
  schema: Schema;
}

interface Content {
  content?: Record<string, { schema: Schema }>;
}

export interface Operation {
  operationId: string;
  method: string;
  path: string;
  parameters: Parameter[];
  /** Of the 200. */
  answer: Schema;
}

const document = readDocument('openapi');
export const schemas: Readonly<Record<string, Schema>> = document.components.schemas;

export function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

export function schemaNamed(name: string): Schema {
  const schema = schemas[name];
  if (schema === undefined) throw new Error(`no schema ${name}`);
  return schema;
}

const schemaOf = ({ content }: Content): Schema => content?.['application/json']?.schema ?? {};

/** Those that need a token. */
export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(
    item as Record<
      string,
      { operationId: string; parameters?: Parameter[]; responses: Record<string, Content> }
    >,
  )
    .filter(([, { operationId }]) => operationId !== 'issueToken')
    .map(([method, { operationId, parameters = [], responses }]) => ({
      operationId,
      method: method.toUpperCase(),
      path,
      parameters: parameters.map((one) =>
        one.$ref === undefined ? one : document.components.parameters[nameOf(one.$ref)],
      ),
      answer: schemaOf(responses['200'] ?? {}),
    })),
);

/** What is posted to a callback URL, by the value of `type`. */
export const posted: readonly string[] = Object.values(
  document.webhooks as Record<string, { post: { requestBody: Content } }>,
).map(({ post }) => nameOf(schemaOf(post.requestBody).$ref ?? ''));

/** The text in lines of at most 105 characters, each after the indent. */
export function inLines(text: string, indent: string): string {
  const lines = [''];
  for (const word of text.trim().split(/\s+/)) {
    const line = lines.at(-1) ?? '';
    if (`${indent}${line} ${word}`.length > 105) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join(`\n${indent}`);
}
