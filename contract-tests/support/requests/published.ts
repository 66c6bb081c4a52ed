/** Sends the requests that the document shows. */
import { type DocumentedOperation, pathOf, requestsOf } from '../../../spec/document.ts';
import { type Answer, type CallOptions, call } from '../service/api.ts';

/** The first published request of an operation, unless the options have a body of their own. */
export function askAsPublished(
  baseUrl: string,
  operation: DocumentedOperation,
  options: CallOptions,
): Promise<Answer> {
  const [body] = [...requestsOf(operation).examples.values()];
  const method = operation.method.toUpperCase();
  return call(baseUrl, pathOf(operation), { method, body, ...options });
}
