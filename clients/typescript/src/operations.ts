/** The types that the OpenAPI document gives each operation, and where a call goes. */
import type { operations } from './openapi.d.ts';
import type { InstantName, routes } from './routes.ts';

export type OperationId = keyof typeof routes;

/** What is sent: a time may be a Date. */
type Given<Parts> = Parts extends object
  ? {
      [Name in keyof Parts]:
        | Parts[Name]
        | (Name extends InstantName ? Date : never)
        | (undefined extends Parts[Name] ? undefined : never);
    }
  : undefined;

/** The JSON body of a request. */
export type Body<Id extends OperationId> = Given<
  operations[Id] extends { requestBody: { content: { 'application/json': infer Content } } }
    ? Content
    : undefined
>;

type Parameters<Id extends OperationId> = NonNullable<operations[Id]['parameters']['query']>;

/** The query parameters of a request. */
export type Query<Id extends OperationId> = Given<Parameters<Id>>;

/** The ids in the path of a request. */
export type PathIds<Id extends OperationId> = NonNullable<operations[Id]['parameters']['path']>;

/** The JSON body of a 200, or a file. */
export type Result<Id extends OperationId> = operations[Id]['responses'][200]['content'] extends {
  'application/json': infer Content;
}
  ? Content
  : Blob;

/** What a call sends. Only the parts that the operation has. */
export type Input<Id extends OperationId> = ([PathIds<Id>] extends [never] ? object : { path: PathIds<Id> }) &
  ([Parameters<Id>] extends [never] ? object : { query?: Query<Id> }) &
  ([Body<Id>] extends [undefined] ? object : { body: Body<Id> });

/** The path and query of a call. */
export function targetOf(
  path: string,
  ids: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, string | number | boolean | Date | undefined>> = {},
): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined)
      parameters.set(name, value instanceof Date ? value.toISOString() : String(value));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, ids[name]));
  return parameters.size === 0 ? filled : `${filled}?${parameters}`;
}

/** URL parsers remove `.` and `..`, however they are encoded: the call would reach another operation. */
function segmentOf(name: string, id = ''): string {
  if (/^\.{0,2}$/.test(id)) throw new TypeError(`${name} must be an id, not "${id}"`);
  return encodeURIComponent(id);
}
