/** The operations of a document. */
import { followed } from './references.ts';
import type {
  DocumentedOperation,
  Media,
  Parameter,
  RequestBody,
  Response,
  Tree,
  WrittenOperation,
} from './types.ts';

const methods = ['get', 'post', 'put', 'patch', 'delete'];

const known = new WeakMap<object, readonly DocumentedOperation[]>();

/** In the order of the document. */
export function operationsOf(document: Tree): readonly DocumentedOperation[] {
  const before = known.get(document);
  if (before !== undefined) return before;
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([method, written]) => operationOf(document, method, path, written as WrittenOperation)),
  );
  known.set(document, operations);
  return operations;
}

function operationOf(
  document: Tree,
  method: string,
  path: string,
  { parameters = [], requestBody, responses, ...written }: WrittenOperation,
): DocumentedOperation {
  return {
    ...written,
    method,
    path,
    parameters: parameters.map((one) => followed<Parameter>(document, one)),
    ...(requestBody === undefined ? {} : { requestBody: followed<RequestBody>(document, requestBody) }),
    responses: Object.fromEntries(
      Object.entries(responses ?? {}).map(([status, one]) => [status, responseOf(document, one as Response)]),
    ),
  };
}

function responseOf(document: Tree, written: Response): Response {
  const response = followed<Response>(document, written);
  if (response.headers === undefined) return response;
  const headers = Object.entries(response.headers).map(([name, one]) => [name, followed(document, one)]);
  return { ...response, headers: Object.fromEntries(headers) };
}

/** What is posted to a callback URL. */
export interface Webhook extends DocumentedOperation {
  name: string;
}

/** In the order of the document. */
export function webhooksOf(document: Tree): Webhook[] {
  return Object.entries(document.webhooks ?? {}).map(([name, { post }]) => ({
    name,
    ...operationOf(document, 'post', '', post),
  }));
}

export interface TypedMedia extends Media {
  type: string;
}

/** The first media type of a request or response; undefined where it has no content. */
export function mediaOf(part: { content?: Response['content'] } | undefined): TypedMedia | undefined {
  const [first] = Object.entries(part?.content ?? {});
  return first && { type: first[0], ...first[1] };
}

/** The first response in the range 2xx. */
export function successOf({ responses }: DocumentedOperation): Response | undefined {
  return Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
}

/** The example of a parameter, as text; undefined where it has none. */
export function exampleOf(parameters: readonly Parameter[], name: string): string | undefined {
  const example = parameters.find((one) => one.name === name)?.example;
  return example === undefined ? undefined : String(example);
}
