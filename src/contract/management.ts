/** The management document as the command line and the console read it: operations, what they take, who may call them. */

import { loadDocument } from './document.ts';
import { mediaOf, operationsOf, successOf } from './operations.ts';
import { dereferenced } from './references.ts';
import type { Parameter, Schema, Tree } from './types.ts';
import type { CommandWords, OptionWords } from './words.ts';

/** What an operation takes, with the schema that its reference leads to. */
export interface Input {
  name: string;
  in: 'path' | 'query' | 'body';
  required: boolean;
  description: string;
  example: unknown;
  schema: Schema;
  option: OptionWords;
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  description: string;
  /** The role that it needs, such as `platform.admin`. */
  permission: string;
  commands: readonly CommandWords[];
  inputs: readonly Input[];
  /** Whether the caller must say which version of the resource it changes. */
  needsIfMatch: boolean;
  hasBody: boolean;
  /** Of the answer; CSV is written as it is. */
  mediaType: string | undefined;
  answer: Schema;
}

/** In the order of the document. */
export function managementOperations(): readonly Operation[] {
  known ??= readOperations(loadDocument('management').enforced);
  return known;
}

let known: readonly Operation[] | undefined;

function readOperations(document: Tree): Operation[] {
  return operationsOf(document).map((operation) => {
    const { operationId: id, method, path, tags, parameters, security } = operation;
    const body = operation.requestBody?.content['application/json']?.schema;
    const media = mediaOf(successOf(operation));
    return {
      id,
      method,
      path,
      tag: tags[0] ?? '',
      summary: operation.summary,
      description: operation.description ?? '',
      permission: security[0]?.accessKey?.[0] ?? '',
      commands: [operation['x-command'] ?? []].flat(),
      inputs: [
        ...parameters.flatMap((one) => (one.in === 'header' ? [] : [parameterInput(document, one)])),
        ...(body === undefined ? [] : bodyInputs(dereferenced(document, body))),
      ],
      needsIfMatch: parameters.some(({ name }) => name === 'If-Match'),
      hasBody: body !== undefined,
      mediaType: media?.type,
      answer: dereferenced(document, media?.schema ?? {}),
    };
  });
}

function parameterInput(document: Tree, parameter: Parameter): Input {
  const schema = dereferenced(document, parameter.schema);
  return {
    name: parameter.name,
    in: parameter.in as 'path' | 'query',
    required: parameter.required ?? false,
    description: parameter.description ?? '',
    example: parameter.example,
    schema,
    option: parameter['x-option'] ?? schema['x-option'] ?? {},
  };
}

function bodyInputs({ properties = {}, required = [] }: Schema): Input[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'body',
    required: required.includes(name),
    description: schema.description ?? '',
    example: schema.examples?.[0],
    schema,
    option: schema['x-option'] ?? {},
  }));
}

/** The path with its parameters filled in, and the query behind it. */
export function filled(
  path: string,
  ids: Readonly<Record<string, unknown>>,
  query: Readonly<Record<string, unknown>> = {},
): string {
  const place = Object.entries(ids).reduce(
    (all, [name, value]) => all.replace(`{${name}}`, encodedStep(String(value))),
    path,
  );
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return search.size > 0 ? `${place}?${search}` : place;
}

/** One step of a path, whatever is in it: `..` as it is would lead to another operation. */
function encodedStep(value: string): string {
  return /^\.\.?$/.test(value) ? value.replaceAll('.', '%2E') : encodeURIComponent(value);
}
