/** Reads the definition of an operation's request body from the OpenAPI document. */

import type { Operation } from 'openapi-backend';
import { own } from '../../platform/text/own.ts';
import { isForm, isText } from './media-types.ts';

export interface RequestBody {
  required: boolean;
  /** By media type. */
  content: Readonly<Record<string, { schema?: object }>>;
}

/** Undefined for an operation that takes no body. */
export function requestBodyOf({ requestBody }: Operation): RequestBody | undefined {
  if (requestBody === undefined) return undefined;
  const { required = false, content } = requestBody as Partial<RequestBody>;
  return { required, content: content ?? {} };
}

/** The schema that openapi-backend holds the body to; text has none. */
export function bodySchemaOf({ content }: RequestBody): object | undefined {
  const [entry] = Object.entries(content).filter(([mediaType]) => !isText(mediaType));
  return entry?.[1].schema;
}

/** openapi-backend validates a single schema per operation, and none of text: throws for what nobody would check. */
export function requireSupportedBody(operation: Operation): void {
  const body = requestBodyOf(operation);
  if (body === undefined) return;
  const mediaTypes = Object.keys(body.content);
  const checked = mediaTypes.filter((one) => one === 'application/json' || isForm(one));
  const unchecked = mediaTypes.filter(
    (one) => !checked.includes(one) && !(isText(one) && isPlain(own(body.content, one)?.schema)),
  );
  if (checked.length > 1 || unchecked.length > 0)
    throw new Error(`${operation.operationId}: request bodies of ${mediaTypes.join(', ')} are not supported`);
}

const isPlain = (schema: object = {}) =>
  Object.keys(schema).every((keyword) => ['type', 'description', 'example', 'examples'].includes(keyword));
