/** Checks a response against the published document: status, headers, content type and body. */
import { errorSchema, operationAt, undocumented, violations } from '../../../spec/document.ts';

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at bodies of every shape.
  body: any;
  text: string;
}

/** Faults of a body by its schema: `violations` by the published schema, `undocumented` by the closed one. */
export type Judge = typeof violations;

/** Throws if the response is not documented. */
export function requireConformity(method: string, path: string, answer: Answer, judge: Judge): void {
  const operation = operationAt(method, path);
  if (operation === undefined) {
    if ([404, 405].includes(answer.status)) requireError(method, path, answer);
    return;
  }
  const { operationId } = operation;
  const fault = (what: string) =>
    new Error(`${operationId} ${answer.status} is not what the document says: ${what}\n${answer.text}`);
  const response = operation.responses[answer.status];
  if (response === undefined) throw fault('undocumented status');
  for (const [name, header] of Object.entries(response.headers ?? {})) {
    const value = answer.headers.get(name);
    if (value === null && header.required) throw fault(`header ${name} is missing`);
    if (value !== null && violations(header.schema, value)) throw fault(`header ${name}: ${value}`);
  }
  if (response.content !== undefined) {
    const type = mediaTypeOf(answer);
    // A file may have any type, and is not JSON.
    if (response.content['*/*'] !== undefined) return;
    const media = response.content[type];
    if (media === undefined) throw fault(`content type ${type}`);
    const found = judge(media.schema, answer.body);
    if (found !== undefined) throw fault(found);
  }
}

/** Responses of no operation have a documented form too. */
function requireError(method: string, path: string, answer: Answer): void {
  const fault = mediaTypeOf(answer) === 'application/json' && undocumented(errorSchema, answer.body);
  // HEAD has no body.
  if (fault !== undefined && answer.text !== '')
    throw new Error(`${method} ${path} ${answer.status} is no error of the document: ${answer.text}`);
  for (const name of ['x-request-id', 'error-code', 'link'])
    if (answer.headers.get(name) === null)
      throw new Error(`${method} ${path} ${answer.status} has no ${name}`);
}

function mediaTypeOf({ headers }: Answer): string {
  return (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}
