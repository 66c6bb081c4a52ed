/** The contract as Prism serves it: the same responses, arranged so that Prism chooses among them as we would. */

interface Response {
  headers?: Record<string, { $ref?: string; required?: boolean }>;
}

type Operation = {
  parameters?: unknown;
  requestBody?: { content: Record<string, unknown> };
  responses?: Record<string, Response>;
  callbacks?: unknown;
};

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { headers: Record<string, { required?: boolean }>; schemas: unknown };
}

/** Of made-up values: as many and as long as the document allows would be megabytes. */
const mostItems = 3;
const mostCharacters = 40;

/**
 * A copy of the document. Prism answers an invalid request with 422 wherever there is one, and sends every header
 * there is: so 422 becomes the default, which is found when it is asked for by its code, and headers that a
 * response may lack are left out. So are the callbacks, or Prism would post their examples, and what a request
 * contains: that is judged before Prism gets it. `dynamic`: Prism makes values up, which are kept short.
 */
export function mockedDocument(published: unknown, { dynamic }: { dynamic: boolean }): unknown {
  const document = structuredClone(published) as Document;
  const isCertain = (header: { $ref?: string; required?: boolean }) =>
    (header.$ref === undefined ? header : document.components.headers[lastStep(header.$ref)])?.required ===
    true;
  for (const item of Object.values(document.paths))
    for (const operation of Object.values(item)) {
      delete operation.callbacks;
      delete operation.parameters;
      const content = operation.requestBody?.content ?? {};
      for (const type of Object.keys(content)) content[type] = {};
      if (operation.responses !== undefined)
        operation.responses = Object.fromEntries(
          Object.entries(operation.responses).map(([status, response]) => [
            status === '422' ? 'default' : status,
            response.headers === undefined
              ? response
              : { ...response, headers: only(response.headers, isCertain) },
          ]),
        );
    }
  if (dynamic) document.components.schemas = shortened(document.components.schemas);
  return document;
}

/** The same schemas with tighter limits. */
function shortened(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(shortened);
  if (node === null || typeof node !== 'object') return node;
  const schema: Record<string, unknown> = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, shortened(value)]),
  );
  if (schema.type === 'array') limit(schema, 'minItems', 'maxItems', mostItems);
  if (schema.type === 'string') limit(schema, 'minLength', 'maxLength', mostCharacters);
  return schema;
}

function limit(schema: Record<string, unknown>, least: string, most: string, wanted: number): void {
  const { [least]: lower = 0, [most]: upper = wanted } = schema as Record<string, number>;
  schema[most] = Math.max(lower, Math.min(upper, wanted));
}

function lastStep(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function only<T>(record: Record<string, T>, keep: (value: T) => boolean): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => keep(value)));
}
