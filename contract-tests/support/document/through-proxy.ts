/** Sends every call that Prism can read through the proxy, if there is one. */
import { operationAt } from '../../../spec/document.ts';
import { proxyOf } from '../service/proxy.ts';

interface Request {
  body?: unknown;
  headers?: Record<string, string>;
}

/**
 * Where to send a request for `baseUrl`. Prism reads paths and bodies before it passes them on, so anything but
 * documented paths with plain JSON or forms goes straight to the service.
 */
export function through(baseUrl: string, method: string, path: string, request: Request): string {
  const { body, headers = {} } = request;
  if (operationAt(method, path) === undefined || !/^[!-$&-~]+$/.test(path)) return baseUrl;
  const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
  const isPlain = isForm
    ? typeof body === 'string' && !('content-encoding' in headers)
    : body !== null && typeof body === 'object' && !(body instanceof Uint8Array) && !namesContent(headers);
  return (isPlain ? proxyOf(baseUrl) : undefined) ?? baseUrl;
}

function namesContent(headers: Record<string, string>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase().startsWith('content-'));
}

/** Throws if the proxy found the response undocumented; requests may be invalid on purpose. */
export function requireNoViolation(headers: Headers): void {
  const violations = headers.get('sl-violations') ?? '';
  if (violations.includes('"location":["response"')) throw new Error(`Prism's proxy: ${violations}`);
}
