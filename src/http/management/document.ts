/** The management document as the command line and the console read it: operations, what they take, who may call them. */

import { own } from '../../platform/text/own.ts';
import { type ContractDocument, loadDocument } from '../contract/document.ts';

/** A property as a column, or a title with the path of a property, such as `{ client: client.id }`. */
export type Column = string | Record<string, string>;

/** Words for a property or parameter, where the terminal needs others than its name. */
export interface OptionWords {
  /** Instead of its name in kebab case, without `Id` at the end. */
  name?: string;
  /** The flag that gives null or an empty list, instead of `--no-NAME`. */
  clear?: string;
  /** What it is if the option is omitted. */
  default?: string;
  /** How it is written, if not as the value itself: one of forms.ts. */
  form?: string;
  /** How each value is written, such as `name=value`. */
  value?: string;
}

/** Words for an operation: one command, or several that each set some of its properties. */
export interface CommandWords {
  words: string;
  alias?: string;
  /** Instead of the summary. */
  about?: string;
  /** Properties and parameters that are arguments; those of the path always are. */
  arguments?: string[];
  /** Only these properties are options; all if omitted. */
  options?: string[];
  /** Properties that this command sets by itself. */
  sets?: Record<string, unknown>;
  /** The property of the answer whose entries are the rows of the table. */
  rows?: string;
  columns?: Column[];
  /** For people, behind the answer. */
  note?: string;
  /** The property of the answer that says that the command failed, and why. */
  fails?: string;
  /** How many items are shown of a list that is long, unless `--limit` says otherwise. */
  limit?: number;
  /** Called again while this property of the answer is true; numbers are added up. */
  repeats?: string;
  /** A property that is a text of lines, sent in parts if it is long, and the one that numbers them. */
  splits?: { text: string; number: string };
  /** The operation that lists what `--all` stands for. */
  all?: string;
  /** The answer has no end: it is written page by page, in this way. */
  streams?: 'csv' | 'statement';
}

export interface Schema {
  type?: string | string[];
  description?: string;
  enum?: (string | null)[];
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxLength?: number;
  maxItems?: number;
  examples?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  'x-option'?: OptionWords;
  'x-columns'?: Column[];
  /** Only users of the platform set it. */
  'x-platform'?: boolean;
}

/** What an operation takes, with the schema that its reference leads to. */
export interface Input {
  name: string;
  in: 'path' | 'query' | 'body';
  required: boolean;
  description: string;
  example: unknown;
  schema: Schema;
  option: OptionWords;
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  description: string;
  /** The role that it needs, such as `platform.admin`. */
  permission: string;
  commands: readonly CommandWords[];
  inputs: readonly Input[];
  /** Whether the caller must say which version of the resource it changes. */
  needsIfMatch: boolean;
  hasBody: boolean;
  /** Of the answer; CSV is written as it is. */
  mediaType: string | undefined;
  answer: Schema;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  example?: unknown;
  schema: Schema;
  'x-option'?: OptionWords;
}

type Media = Record<string, { schema: Schema }>;

interface WrittenOperation {
  operationId: string;
  tags: [string];
  summary: string;
  description?: string;
  security: [{ accessKey: [string] }];
  parameters?: Parameter[];
  requestBody?: { content: Media };
  responses: Record<string, { content?: Media }>;
  'x-command'?: CommandWords | CommandWords[];
}

interface WrittenDocument {
  paths: Record<string, Record<string, unknown>>;
}

const file = new URL('../../../generated/management.yaml', import.meta.url);

/** With its extensions: the words for the terminal and the columns of lists. */
export const loadManagement = (): ContractDocument => loadDocument(file);

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** In the order of the document. */
export function operationsOf({ enforced }: ContractDocument): Operation[] {
  const document = enforced as unknown as WrittenDocument;
  /** A schema or parameter with its reference followed; what stands beside the reference wins. */
  const follow = <Node extends object>(node: Node): Node => {
    if (!('$ref' in node)) return node;
    const { $ref: reference, ...beside } = node as { $ref: string };
    const found = reference
      .slice('#/'.length)
      .split('/')
      .reduce<unknown>((tree, step) => own(tree as Record<string, unknown>, step), document);
    return { ...follow(found as Node), ...beside };
  };
  const schemaOf = (written: Schema): Schema => {
    const { items, properties, ...rest } = follow(written);
    return {
      ...rest,
      ...(items === undefined ? {} : { items: schemaOf(items) }),
      ...(properties === undefined ? {} : { properties: mapValues(properties, schemaOf) }),
    };
  };
  const inputsOf = (parameters: Parameter[], body: Schema | undefined): Input[] => [
    ...parameters
      .filter((one) => one.in !== 'header')
      .map(({ schema: written, ...one }): Input => {
        const schema = schemaOf(written);
        return {
          name: one.name,
          in: one.in as 'path' | 'query',
          required: one.required ?? false,
          description: one.description ?? '',
          example: one.example,
          schema,
          option: one['x-option'] ?? schema['x-option'] ?? {},
        };
      }),
    ...Object.entries(body?.properties ?? {}).map(
      ([name, schema]): Input => ({
        name,
        in: 'body',
        required: body?.required?.includes(name) ?? false,
        description: schema.description ?? '',
        example: schema.examples?.[0],
        schema,
        option: schema['x-option'] ?? {},
      }),
    ),
  ];
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const written = own(item, method) as WrittenOperation | undefined;
      if (written === undefined) return [];
      const parameters = [...((item.parameters ?? []) as Parameter[]), ...(written.parameters ?? [])].map(
        follow,
      );
      const body = written.requestBody && follow(written.requestBody).content['application/json']?.schema;
      const [, response] = Object.entries(written.responses).find(([status]) => status.startsWith('2')) ?? [];
      const [mediaType, media] = Object.entries((response && follow(response).content) ?? {})[0] ?? [];
      return [
        {
          id: written.operationId,
          method,
          path,
          tag: written.tags[0],
          summary: written.summary,
          description: written.description ?? '',
          permission: written.security[0].accessKey[0],
          commands: [written['x-command'] ?? []].flat(),
          inputs: inputsOf(parameters, body && schemaOf(body)),
          needsIfMatch: parameters.some(({ name }) => name === 'If-Match'),
          hasBody: body !== undefined,
          mediaType,
          answer: media === undefined ? {} : schemaOf(media.schema),
        },
      ];
    }),
  );
}

/** The path with its parameters filled in, and the query behind it. */
export function filled(
  path: string,
  ids: Readonly<Record<string, unknown>>,
  query: Readonly<Record<string, unknown>> = {},
): string {
  const place = Object.entries(ids).reduce(
    (all, [name, value]) => all.replace(`{${name}}`, encodedStep(String(value))),
    path,
  );
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return search.size > 0 ? `${place}?${search}` : place;
}

/** One step of a path, whatever is in it: `..` as it is would lead to another operation. */
function encodedStep(value: string): string {
  return /^\.\.?$/.test(value) ? value.replaceAll('.', '%2E') : encodeURIComponent(value);
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
