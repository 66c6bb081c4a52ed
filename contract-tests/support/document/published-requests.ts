/** Calls an operation with a request that the document shows. */
import { type DocumentedOperation, pathOf, requestsOf } from '../../../spec/document.ts';
import { type Answer, call } from '../service/api.ts';

interface RequestParts {
  /** Left out where the operation needs none. */
  token?: string | undefined;
  /** By default the first that the document shows. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** Throws if the response is not documented. */
export function askAsPublished(
  baseUrl: string,
  operation: DocumentedOperation,
  { token, body, headers = {} }: RequestParts,
): Promise<Answer> {
  const { type, examples } = requestsOf(operation);
  const method = operation.method.toUpperCase();
  const authorized = operation.security?.length ? { token } : {};
  if (operation.requestBody === undefined)
    return call(baseUrl, pathOf(operation), { method, headers, ...authorized });
  const content = body ?? [...examples.values()][0];
  return call(baseUrl, pathOf(operation), {
    method,
    ...authorized,
    body:
      type === 'application/json'
        ? content
        : new URLSearchParams(content as Record<string, string>).toString(),
    headers: { 'content-type': type, ...headers },
  });
}
