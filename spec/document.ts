/** The document for tests and tools: its operations, examples and compiled schemas. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type loadDocument, readDocument } from '../src/contract/document.ts';
import { type ResponseExample, responseExamples } from '../src/contract/examples.ts';
import { exampleOf, mediaOf, operationsOf } from '../src/contract/operations.ts';
import { dereferenced } from '../src/contract/references.ts';
import { createOperationFinder } from '../src/contract/routes.ts';
import type { DocumentedOperation, Media } from '../src/contract/types.ts';
import { closed } from '../src/http/contract/closed.ts';

export type { DocumentedOperation, Media } from '../src/contract/types.ts';

/** One published response. */
export type AnswerExample = Pick<ResponseExample, 'operation' | 'status' | 'name' | 'value'>;

/** With extensions, such as the sentences of `x-errors`. */
export const published: ReturnType<typeof loadDocument>['published'] = readDocument('openapi');

/** With all references followed. */
export const operations = dereferenced(published, operationsOf(published));

// By the stock Ajv, not by the service's own.
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

/** Those that clients need a token for. */
export const secured = operations.filter(({ security }) => security?.length);

/** Those that send something: with the same Idempotency-Key not twice. */
export const sending = operations.filter(({ parameters }) =>
  parameters.some(({ name }) => name === 'Idempotency-Key'),
);

/** One of the document's schemas, with references followed. */
export function schemaNamed(name: string): object {
  const schema = published.components.schemas[name];
  if (schema === undefined) throw new Error(`the document has no schema ${name}`);
  return dereferenced(published, schema);
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

const find = createOperationFinder(published);

export function operationOf(operationId: string): DocumentedOperation {
  const operation = operations.find((one) => one.operationId === operationId);
  if (operation === undefined) throw new Error(`the document has no operation ${operationId}`);
  return operation;
}

/** The operation that a request calls; undefined for paths and methods that the document does not have. */
export function operationAt(method: string, path: string): DocumentedOperation | undefined {
  return find(method, path.split('?', 1)[0] ?? '');
}

/** A path of the operation, with its parameters filled from their examples unless given. */
export function pathOf(operation: DocumentedOperation, given: Readonly<Record<string, string>> = {}): string {
  return operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    return given[name] ?? exampleOf(operation.parameters, name) ?? '';
  });
}

/** The content type of the operation's requests and the published examples of them. */
export function requestsOf(operation: DocumentedOperation): { type: string; examples: Map<string, unknown> } {
  const media = mediaOf(operation.requestBody);
  return { type: media?.type ?? '', examples: examplesOf(media) };
}

/** Every published response of every operation. */
export const answerExamples = (): AnswerExample[] => responseExamples(published);

export function examplesOf(media: Media | undefined): Map<string, unknown> {
  return new Map(Object.entries(media?.examples ?? {}).map(([name, { value }]) => [name, value]));
}
