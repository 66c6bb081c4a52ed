/** The document for tests and tools: its operations, examples and compiled schemas. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { OpenAPIBackend } from 'openapi-backend';
import { closed } from '../src/http/contract/closed.ts';
import { readDocument } from './read.ts';

export interface DocumentedOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  method: string;
  path: string;
  security?: Record<string, string[]>[];
  parameters?: { name: string; in: string; required?: boolean; schema: object; example?: unknown }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, DocumentedResponse>;
  callbacks?: Record<string, Record<string, { post?: DocumentedCallback }>>;
}

export interface DocumentedResponse {
  headers?: Record<string, { required?: boolean; schema: object }>;
  content?: Record<string, Media>;
}

export interface DocumentedCallback {
  operationId: string;
  parameters?: { name: string; required?: boolean; schema: object }[];
  requestBody: { content: Record<string, Media> };
}

export interface Media {
  schema: object;
  examples?: Record<string, { summary?: string; value: unknown }>;
}

/** One published response. */
export interface AnswerExample {
  operation: DocumentedOperation;
  status: string;
  name: string;
  value: unknown;
}

export const published = readDocument('openapi');

// By the stock openapi-backend and Ajv, not by the service's own code.
const api = new OpenAPIBackend({ definition: structuredClone(published), quick: true });
await api.init();
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

/** With references followed. */
export const operations = api.router
  .getOperations()
  .filter(({ path }) => path in published.paths) as unknown as DocumentedOperation[];

/** Those that clients need a token for. */
export const secured = operations.filter(({ security }) => security?.length);

/** Those that send something: with the same Idempotency-Key not twice. */
export const sending = operations.filter(({ parameters = [] }) =>
  parameters.some(({ name }) => name === 'Idempotency-Key'),
);

/** One of the document's schemas, with references followed. */
export function schemaNamed(name: string): object {
  const schema = api.definition.components?.schemas?.[name];
  if (schema === undefined) throw new Error(`the document has no schema ${name}`);
  return schema;
}

/** The form of every error outside the operations. */
export const errorSchema = schemaNamed('Problem');

const compiled = new Map<object, ReturnType<typeof ajv.compile>>();

/** The faults of `value` by the schema of the document; undefined: none. */
export function violations(schema: object, value: unknown): string | undefined {
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  return validate(value) ? undefined : JSON.stringify(validate.errors);
}

const closedSchemas = new WeakMap<object, object>();

/**
 * The faults and unnamed properties of `value` by the schema: clients must tolerate the latter, we must not send
 * them.
 */
export function undocumented(schema: object, value: unknown): string | undefined {
  const strict = closedSchemas.get(schema) ?? closed(schema);
  closedSchemas.set(schema, strict);
  return violations(strict, value);
}

/** The operation that a request calls; undefined for paths and methods that the document does not have. */
export function operationAt(method: string, path: string): DocumentedOperation | undefined {
  const [place = ''] = path.split('?');
  return operations.find((one) => one.method === method.toLowerCase() && patternOf(one.path).test(place));
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`);
}

/** A path of the operation, with its parameters filled from their examples unless given. */
export function pathOf(operation: DocumentedOperation, given: Readonly<Record<string, string>> = {}): string {
  return operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const example = operation.parameters?.find((one) => one.in === 'path' && one.name === name)?.example;
    return given[name] ?? String(example);
  });
}

/** The content type of the operation's requests and the published examples of them. */
export function requestsOf(operation: DocumentedOperation): { type: string; examples: Map<string, unknown> } {
  const [[type, media] = ['', { schema: {} } as Media]] = Object.entries(
    operation.requestBody?.content ?? {},
  );
  return { type, examples: examplesOf(media) };
}

/** Every published response of every operation. */
export function answerExamples(): AnswerExample[] {
  return operations.flatMap((operation) =>
    Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
      Object.values(content).flatMap((media) =>
        [...examplesOf(media)].map(([name, value]) => ({ operation, status, name, value })),
      ),
    ),
  );
}

export function examplesOf(media: Media): Map<string, unknown> {
  return new Map(Object.entries(media.examples ?? {}).map(([name, { value }]) => [name, value]));
}
