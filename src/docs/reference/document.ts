/** As much of an OpenAPI document as its reference in Markdown shows. */
import { own } from '../../platform/text/own.ts';

export interface ApiDocument {
  info: { title: string; version: string; description?: string };
  tags?: readonly { name: string; description?: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: {
    schemas: Readonly<Record<string, Schema>>;
    parameters?: Readonly<Record<string, Parameter>>;
    responses?: Readonly<Record<string, Response>>;
    requestBodies?: Readonly<Record<string, RequestBody>>;
  };
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags?: readonly string[];
  parameters?: readonly (Parameter | Reference)[];
  requestBody?: RequestBody | Reference;
  /** Empty: it needs no token. */
  security?: readonly object[];
  responses: Readonly<Record<string, Response | Reference>>;
}

export interface Reference {
  $ref: string;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
  example?: unknown;
}

export interface RequestBody {
  content?: Readonly<Record<string, MediaType>>;
}

export interface Response {
  description?: string;
  content?: Readonly<Record<string, MediaType>>;
}

export interface MediaType {
  schema?: Schema;
  examples?: Readonly<Record<string, { summary?: string; value: unknown }>>;
}

export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  required?: readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  items?: Schema;
  oneOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  allOf?: readonly Schema[];
  additionalProperties?: boolean | Schema;
  enum?: readonly unknown[];
  const?: unknown;
}

/** What a reference names; itself if it is none. */
export function resolved<T extends object>(document: ApiDocument, value: T | Reference): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T;
  const path = value.$ref.slice(2).split('/');
  // biome-ignore lint/suspicious/noExplicitAny: a path through the document.
  return path.reduce<any>((node, key) => own(node, key.replaceAll('~1', '/')), document);
}

/** The last part of a reference. */
export function nameOfReference({ $ref = '' }: Schema): string {
  return $ref.split('/').at(-1) ?? '';
}

export interface NamedOperation extends Operation {
  method: string;
  path: string;
}

export function operationsOf({ paths }: ApiDocument): NamedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => operation.operationId !== undefined)
      .map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}
