/** What the types of all clients are written from: the schemas and operations of the OpenAPI document. */
import { readDocument } from '../src/contract/document.ts';

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
  required?: boolean;
  schema: Schema;
  /** The clients' word for it. */
  'x-client'?: string;
}

interface Content {
  $ref?: string;
  description?: string;
  content?: Record<string, { schema: Schema }>;
}

/** The clients' words for an operation. */
export interface ClientWords {
  /** `group.name`. */
  method: string;
  /** Instead of the operation's own, which speaks of the body. */
  description?: string;
  /** The property of the response that the method returns; all of it by default. */
  returns?: string;
  /** Whether a second call changes nothing, so that it may be repeated after a lost response. Every GET is. */
  isHarmless?: boolean;
  /** What the body is composed of, by hand; by default the arguments are its properties. */
  arguments?: Record<string, { type: string; description: string; isRequired?: boolean }>;
  /** The operation that has the same arguments. */
  argumentsOf?: string;
}

interface OperationObject {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  'x-client'?: ClientWords;
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
}

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  /** What the document says of its tag. */
  theme: string;
  method: string;
  path: string;
  parameters: Parameter[];
  words: ClientWords | undefined;
  body: Schema | undefined;
  /** Of the 200. */
  answer: Schema;
  /** Its other responses, by status. */
  errors: readonly { status: string; description: string }[];
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

/** A part of an operation, or the shared one that it refers to. */
function shared<Part extends { $ref?: string }>(kind: 'parameters' | 'responses', part: Part): Part {
  return part.$ref === undefined ? part : document.components[kind][nameOf(part.$ref)];
}

const themes = new Map<string, string>(
  document.tags.map((tag: { name: string; description: string }) => [tag.name, tag.description.trim()]),
);

/** Those that need a token. */
export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item as Record<string, OperationObject>)
    .filter(([, { operationId }]) => operationId !== 'issueToken')
    .map(([method, { parameters = [], requestBody, responses, description = '', ...operation }]) => ({
      operationId: operation.operationId,
      summary: operation.summary,
      theme: themes.get(operation.tags[0] ?? '') ?? '',
      description,
      method: method.toUpperCase(),
      path,
      parameters: parameters.map((one) => shared('parameters', one)),
      words: operation['x-client'],
      body: requestBody && schemaOf(requestBody),
      answer: schemaOf(responses['200'] ?? {}),
      errors: Object.entries(responses)
        .filter(([status]) => status !== '200')
        .map(([status, one]) => ({ status, description: shared('responses', one).description ?? '' })),
    })),
);

/** What is posted to a callback URL, by the value of `type`. */
export const posted: readonly string[] = Object.values(
  document.webhooks as Record<string, { post: { requestBody: Content } }>,
).map(({ post }) => nameOf(schemaOf(post.requestBody).$ref ?? ''));

/** With its reference followed. */
export function resolved(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : schemaNamed(nameOf(schema.$ref));
}
