/** The management document as the tests use it: its operations, and the differences of responses. */

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { ManagementOperationId } from '../../../handlers/management/operation.ts';
import { loadDocument } from '../../../src/contract/document.ts';
import { operationsOf } from '../../../src/contract/operations.ts';
import { dereferenced } from '../../../src/contract/references.ts';
import type { DocumentedOperation } from '../../../src/contract/types.ts';
import { closed } from '../../../src/http/contract/closed.ts';
import { note } from '../document/exercised.ts';

export type ManagementOperation = DocumentedOperation & { operationId: ManagementOperationId };

const { published } = loadDocument('management');

// By the stock Ajv, not by the service's own.
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

/** In the order of the document, with references followed. */
export const operations = dereferenced(published, operationsOf(published)) as readonly ManagementOperation[];

/** The role that the operation needs, such as `platform.admin`. */
export const permissionOf = ({ security }: ManagementOperation): string => security[0]?.accessKey?.[0] ?? '';

/** Whether the operation changes something. */
export const isWrite = ({ method, operationId }: ManagementOperation): boolean =>
  method !== 'get' && !/^(preview|explain)/.test(operationId);

export const needsIfMatch = ({ parameters = [] }: ManagementOperation): boolean =>
  parameters.some(({ name, required }) => name === 'If-Match' && required);

/** What the body of a request can set. */
export const settableBy = ({ requestBody }: ManagementOperation): string[] =>
  Object.values(requestBody?.content ?? {})
    .flatMap(({ schema }) => Object.keys(schema.properties ?? {}))
    .sort();

/** The lines of the coverage for the examples of an operation: `management updateTeam 412 resourceChanged`. */
function linesOf({ operationId, responses }: ManagementOperation): string[] {
  return Object.entries(responses).flatMap(([status, { content = {} }]) => {
    const names = Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples));
    return (names.length === 0 ? [''] : names).map((name) => lineOf(operationId, status, name));
  });
}

const lineOf = (operationId: string, status: string | number, name: string) =>
  `management ${operationId} ${status} ${name}`.trim();

/** Of the whole document. */
export const managementLines: readonly string[] = operations.flatMap(linesOf);

/** An error shows the example that is named like its code, a success all examples of its status. */
function noteShown(
  { operationId }: ManagementOperation,
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  names: string[],
): void {
  const code = headers.get('error-code')?.replace(/-[a-z]/g, ([, letter = '']) => letter.toUpperCase());
  for (const name of names.length === 0 ? [''] : names)
    if (code === undefined || code === name) note(lineOf(operationId, status, name));
}

const compiled = new Map<object, ValidateFunction>();

/** Throws if a response is not documented, or has more than is documented. */
export function requireConformity(
  operation: ManagementOperation,
  answer: { status: number; headers: Headers; text: string; body: unknown },
): void {
  const { operationId, responses } = operation;
  const fault = (what: string) =>
    new Error(`${operationId} ${answer.status} is not what the document says: ${what}\n${answer.text}`);
  const response = responses[answer.status];
  if (response === undefined) throw fault('undocumented status');
  for (const [name, { required }] of Object.entries(response.headers ?? {}))
    if (required && answer.headers.get(name) === null) throw fault(`header ${name} is missing`);
  const [[type, media] = []] = Object.entries(response.content ?? {});
  if (media === undefined || type === undefined) {
    if (answer.text !== '') throw fault('a body');
    noteShown(operation, answer, []);
    return;
  }
  if (answer.headers.get('content-type')?.split(';')[0] !== type) throw fault('content type');
  const validate = compiled.get(media.schema) ?? ajv.compile(closed(media.schema));
  compiled.set(media.schema, validate);
  if (!validate(answer.body)) throw fault(JSON.stringify(validate.errors));
  noteShown(operation, answer, Object.keys(media.examples ?? {}));
}
