/** The responses that a document shows. */
import { operationsOf } from './operations.ts';
import type { DocumentedOperation, Example, Response, Tree } from './types.ts';

export interface ResponseExample extends Example {
  operation: DocumentedOperation;
  status: string;
  response: Response;
  mediaType: string;
  name: string;
}

/** Every example of every response, in the order of the document. */
export function responseExamples(document: Tree): ResponseExample[] {
  return operationsOf(document).flatMap((operation) =>
    Object.entries(operation.responses).flatMap(([status, response]) =>
      Object.entries(response.content ?? {}).flatMap(([mediaType, { examples = {} }]) =>
        Object.entries(examples).map(([name, example]) => ({
          ...example,
          operation,
          status,
          response,
          mediaType,
          name,
        })),
      ),
    ),
  );
}
