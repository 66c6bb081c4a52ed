/** Reads the request examples out of the document, each with the path that its parameters' examples make. */

export interface RequestExample {
  operationId: string;
  tag: string;
  method: string;
  /** The path as the document has it. */
  template: string;
  /** The path with the examples of its parameters. */
  path: string;
  /** The parameters of the path, by name. */
  pathParameters: Record<string, string>;
  mediaType: string;
  name: string;
  summary: string;
  value: unknown;
}

interface Parameter {
  in: string;
  name: string;
  example?: unknown;
}

type Referable<T> = T | { $ref: string };

interface Operation {
  operationId: string;
  tags: string[];
  parameters?: Referable<Parameter>[];
  requestBody?: {
    content: Record<string, { examples?: Record<string, { summary?: string; value: unknown }> }>;
  };
}

export interface ContractDocument {
  paths: Record<string, Record<string, Operation>>;
}

/** All of them, in the document's order. Throws when a parameter of a path has no example. */
export function requestExamples(document: ContractDocument): RequestExample[] {
  return Object.entries(document.paths).flatMap(([template, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const pathParameters = Object.fromEntries(
        (operation.parameters ?? [])
          .map((parameter) => resolved(document, parameter))
          .filter((parameter) => parameter.in === 'path')
          .map(({ name, example }): [string, string] => [name, String(example)]),
      );
      const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
        const value = pathParameters[name];
        if (value === undefined || value === 'undefined')
          throw new Error(`${operation.operationId}: the parameter ${name} has no example`);
        return encodeURIComponent(value);
      });
      return Object.entries(operation.requestBody?.content ?? {}).flatMap(([mediaType, { examples = {} }]) =>
        Object.entries(examples).map(([name, { summary = name, value }]) => ({
          ...{ operationId: operation.operationId, tag: operation.tags[0] ?? '', method, template, path },
          ...{ pathParameters, mediaType, name, summary, value },
        })),
      );
    }),
  );
}

function resolved<T>(document: ContractDocument, value: Referable<T>): T {
  if (!(typeof value === 'object' && value !== null && '$ref' in value)) return value as T;
  const steps = value.$ref.split('/').slice(1);
  // biome-ignore lint/suspicious/noExplicitAny: a walk through the document.
  return steps.reduce<any>((at, step) => at[step], document);
}
