/** Finds the named error examples in the OpenAPI document, with the operations that return them. */

import { own } from '../../platform/text/own.ts';

/** As much of the document as is read here. */
export interface PublishedDocument {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: { responses: Readonly<Record<string, Answer>> };
}

interface Operation {
  operationId: string;
  summary: string;
  responses: Readonly<Record<string, Answer | { $ref: string }>>;
}

interface Answer {
  content?: { 'application/json'?: { examples?: Readonly<Record<string, Example>> } };
}

interface Example {
  summary: string;
  value: object;
}

export interface ErrorExample extends Example {
  name: string;
  status: number;
  /** The operation, such as `POST /oauth/token`. */
  operations: string[];
}

/** One for each status, name and value, in the order of the document. */
export function errorExamples(document: PublishedDocument): ErrorExample[] {
  const found = new Map<string, ErrorExample>();
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, { responses = {} }] of Object.entries(item))
      for (const [status, response] of Object.entries(responses)) {
        if (!/^[45]\d\d$/.test(status)) continue;
        for (const [name, example] of Object.entries(examplesOf(document, response))) {
          const key = JSON.stringify([status, name, example.value]);
          const known = found.get(key) ?? { ...example, name, status: Number(status), operations: [] };
          known.operations.push(`${method.toUpperCase()} ${path}`);
          found.set(key, known);
        }
      }
  return [...found.values()];
}

function examplesOf(
  { components }: PublishedDocument,
  response: Answer | { $ref: string },
): Readonly<Record<string, Example>> {
  const answer = '$ref' in response ? own(components.responses, response.$ref.split('/').at(-1)) : response;
  return answer?.content?.['application/json']?.examples ?? {};
}
