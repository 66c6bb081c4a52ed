/** Finds the named error examples in the OpenAPI document, with the operations that return them. */
import { responseExamples } from '../../contract/examples.ts';
import type { Example, Tree } from '../../contract/types.ts';

export interface ErrorExample extends Example {
  name: string;
  status: number;
  /** The operation, such as `POST /oauth/token`. */
  operations: string[];
}

/** One for each status, name and value, in the order of the document. */
export function errorExamples(document: Tree): ErrorExample[] {
  const found = new Map<string, ErrorExample>();
  for (const { operation, status, name, summary = name, value } of responseExamples(document)) {
    if (!/^[45]\d\d$/.test(status)) continue;
    const key = JSON.stringify([status, name, value]);
    const known = found.get(key) ?? { summary, value, name, status: Number(status), operations: [] };
    known.operations.push(`${operation.method.toUpperCase()} ${operation.path}`);
    found.set(key, known);
  }
  return [...found.values()];
}
