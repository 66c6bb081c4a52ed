/** Checks responses against the contract before they are sent. */

import { Readable } from 'node:stream';
import type { ValidateFunction } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { Operation } from 'openapi-backend';
import { own } from '../../platform/text/own.ts';
import { closed } from './closed.ts';
import { isJson } from './media-types.ts';
import type { AnyReply } from './operation.ts';
import { createAjv } from './schemas.ts';

/** Of a file. */
const anyType = '*/*';

/** The media types of a response and their schemas; empty for one without content. */
type Content = Readonly<Record<string, { schema?: object }>>;

/** What the document says of the responses of one operation, by status. */
export function contentsOf({ responses }: Operation): Map<number, Content> {
  return new Map(
    Object.entries(responses ?? {}).map(([status, response]) => [
      Number(status),
      (response as { content?: Content }).content ?? {},
    ]),
  );
}

/** The media type of a response: the one that its headers name, or else the first that is documented. */
export function mediaTypeOf({ headers }: AnyReply, content: Content | undefined): string | undefined {
  return headers['Content-Type'] ?? Object.keys(content ?? {})[0];
}

/** Called for an undocumented response; `fault` says where it differs. */
export type OnUndocumented = (operationId: string, fault: string) => void;

/**
 * `operations` are dereferenced. Checks `share` of the responses: 1 all, 0.01 one in a hundred. Calls
 * `onUndocumented` for an undocumented status or body; if that throws, clients see 500.
 */
export function createAnswerCheck(
  operations: readonly Operation[],
  share: number,
  onUndocumented: OnUndocumented,
): (operationId: string, answer: AnyReply) => void {
  const ajv = createAjv();
  const faultsOf = new Map(
    operations.map((operation) => [operation.operationId ?? '', createFaultFinder(operation, ajv)]),
  );
  let due = 0;
  return (operationId, answer) => {
    due += share;
    if (due < 1) return;
    due -= 1;
    const fault = faultsOf.get(operationId)?.(answer);
    if (fault !== undefined) onUndocumented(operationId, fault);
  };
}

/**
 * Says where a response differs from what the operation documents; undefined: nowhere. A schema is compiled for the
 * first response that needs it: most of what an operation documents is never sent.
 */
function createFaultFinder(operation: Operation, ajv: Ajv2020): (answer: AnyReply) => string | undefined {
  const contents = contentsOf(operation);
  const validators = new Map<object, ValidateFunction>();
  const validatorOf = (schema: object): ValidateFunction => {
    const validate = validators.get(schema) ?? ajv.compile(closed(schema));
    validators.set(schema, validate);
    return validate;
  };

  return (answer) => {
    const { status, body } = answer;
    const content = contents.get(status);
    if (content === undefined) return `status ${status}`;
    const mediaType = mediaTypeOf(answer, content);
    if (mediaType === undefined) return body === undefined ? undefined : `${status} has no body`;
    const media = own(content, mediaType) ?? own(content, anyType);
    if (media === undefined) return `${status} ${mediaType}`;
    if (media.schema === undefined || body instanceof Readable || !isJson(mediaType)) return undefined;
    const validate = validatorOf(media.schema);
    if (validate(body)) return undefined;
    const [fault] = validate.errors ?? [];
    return `${status} ${fault?.instancePath} ${fault?.message}`;
  };
}
