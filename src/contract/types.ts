/** The parts of an OpenAPI document as we read them: openapi-types, with the references that we follow and words of our own. */
import type { OpenAPIV3_1 } from 'openapi-types';
import type { ClientWords, Column, CommandWords, LimitWords, OptionWords } from './words.ts';

export interface Reference {
  $ref: string;
}

type Own<Written, Read> = Omit<Written, keyof Read> & Read;

/** A whole document. */
export type Tree = Own<
  OpenAPIV3_1.Document,
  {
    paths: Readonly<Record<string, PathItem>>;
    webhooks?: Readonly<Record<string, { post: WrittenOperation }>>;
    components: Components;
  }
>;

interface Components {
  schemas: Readonly<Record<string, Schema>>;
  parameters?: Readonly<Record<string, Parameter>>;
  responses?: Readonly<Record<string, Response>>;
  requestBodies?: Readonly<Record<string, RequestBody>>;
  headers?: Readonly<Record<string, Header>>;
  securitySchemes?: Readonly<Record<string, SecurityScheme>>;
}

type SecurityScheme = OpenAPIV3_1.SecuritySchemeObject;

/** Operations by method, beside the parameters that all of them have. */
export type PathItem = Readonly<Record<string, WrittenOperation | undefined>> & {
  readonly parameters?: never;
};

/** A schema, or a reference to one with what is laid over it. */
export type Schema = Own<
  OpenAPIV3_1.BaseSchemaObject,
  {
    $ref?: string;
    type?: string | string[];
    items?: Schema;
    properties?: Record<string, Schema>;
    additionalProperties?: boolean | Schema;
    oneOf?: Schema[];
    anyOf?: Schema[];
    allOf?: Schema[];
    /** The sentence of a violation, by keyword. */
    'x-errors'?: Record<string, string>;
    /** The rule of ours that checks the limits beside it. */
    'x-enforced-by'?: string;
    'x-option'?: OptionWords;
    'x-columns'?: Column[];
    /** Only users of the platform set it. */
    'x-platform'?: boolean;
    /** Of which kind of connector these are the settings, and which secrets it has. */
    'x-kind'?: string;
    'x-secrets'?: { name: string; description: string; required: boolean }[];
  }
>;

export type Parameter = Own<
  OpenAPIV3_1.ParameterObject,
  {
    schema: Schema;
    in: 'path' | 'query' | 'header';
    'x-option'?: OptionWords;
    /** Its name as an argument of a client. */
    'x-client'?: string;
  }
>;

export interface Example {
  summary?: string;
  value: unknown;
}

export interface Media {
  schema: Schema;
  examples?: Readonly<Record<string, Example>>;
}

/** By media type. */
export type Content = Readonly<Record<string, Media>>;

export interface RequestBody {
  required?: boolean;
  content: Content;
}

export type Header = Own<OpenAPIV3_1.HeaderObject, { schema: Schema }>;

export interface Response {
  description: string;
  headers?: Readonly<Record<string, Header>>;
  content?: Content;
}

/** What clients serve for us. */
export interface Callback {
  operationId: string;
  parameters?: Parameter[];
  requestBody: RequestBody;
}

/** An operation as the document has it. */
export type WrittenOperation = Own<
  OpenAPIV3_1.OperationObject,
  {
    operationId: string;
    summary: string;
    tags: string[];
    /** Empty: it needs no token. */
    security: Readonly<Record<string, readonly string[]>>[];
    parameters?: (Parameter | Reference)[];
    requestBody?: RequestBody | Reference;
    responses: Record<string, Response | Reference>;
    callbacks?: Record<string, Record<string, { post?: Callback }>>;
    'x-limit'?: LimitWords;
    'x-client'?: ClientWords;
    'x-command'?: CommandWords | CommandWords[];
  }
>;

/** An operation with its place; all references are followed but those to schemas. */
export type DocumentedOperation = Own<
  WrittenOperation,
  {
    /** In small letters. */
    method: string;
    path: string;
    parameters: Parameter[];
    requestBody?: RequestBody;
    responses: Readonly<Record<string, Response>>;
  }
>;
