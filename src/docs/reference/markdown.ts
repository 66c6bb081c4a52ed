/** The reference of an OpenAPI document as Markdown: for search, for programs that read pages, and as a page. */
import {
  type ApiDocument,
  type MediaType,
  type NamedOperation,
  nameOfReference,
  operationsOf,
  type Parameter,
  type RequestBody,
  type Response,
  resolved,
  type Schema,
} from './document.ts';

/** `title` and `opening` begin the page; `prefix` stands before each path. */
export function referenceText(
  document: ApiDocument,
  { title, opening, prefix }: { title: string; opening: string; prefix: string },
): string {
  const operations = operationsOf(document);
  const tags = document.tags ?? [{ name: 'Operations' }];
  const groups = tags.map(({ name, description }) => {
    const own = operations.filter(({ tags: [tag] = ['Operations'] }) => tag === name);
    const texts = own.map((one) => operationText(document, one, prefix));
    return `## ${name}\n\n${description === undefined ? '' : `${description}\n\n`}${texts.join('\n')}`;
  });
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) =>
    schemaText(name, schema),
  );
  return `# ${title}\n\n${opening}\n\n${groups.join('\n')}\n## Schemas\n\n${schemas.join('\n')}`;
}

function operationText(document: ApiDocument, operation: NamedOperation, prefix: string): string {
  const { method, path, operationId, summary, description = '', parameters = [], requestBody } = operation;
  const rows = parameters.map((one) => {
    const { name, in: place, description: words = '' } = resolved<Parameter>(document, one);
    return `| \`${name}\` | ${place} | ${oneLine(words)} |\n`;
  });
  const bodies =
    requestBody === undefined ? [] : mediaOf(resolved<RequestBody>(document, requestBody).content);
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const { description: words = '', content } = resolved<Response>(document, response);
    return `| ${status} | ${oneLine(words)}${schemaOf(mediaOf(content))} |\n`;
  });
  return [
    `### ${summary}\n\n\`${method} ${prefix}${path}\` · \`${operationId}\`\n`,
    description === '' ? '' : `\n${description.trim()}\n`,
    rows.length === 0 ? '' : `\n| parameter | in | |\n|---|---|---|\n${rows.join('')}`,
    bodies.length === 0 ? '' : `\nRequest body${schemaOf(bodies)}:\n${exampleOf(bodies)}`,
    `\n| status | response |\n|---|---|\n${responses.join('')}`,
  ].join('');
}

function schemaText(name: string, schema: Schema): string {
  const properties = Object.entries(schema.properties ?? {});
  const required = schema.required ?? [];
  const rows = properties.map(
    ([property, one]) =>
      `| \`${property}\`${required.includes(property) ? ', required' : ''} | ${typeOf(one)} | ${oneLine(one.description ?? '')} |\n`,
  );
  const type = properties.length === 0 ? `${typeOf(schema)}\n` : '';
  const description = schema.description === undefined ? '' : `${schema.description.trim()}\n\n`;
  const table = rows.length === 0 ? '' : `| property | type | |\n|---|---|---|\n${rows.join('')}`;
  return `### ${name}\n\n${description}${type}${table}`;
}

function mediaOf(content: Readonly<Record<string, MediaType>> = {}): MediaType[] {
  return Object.values(content);
}

function schemaOf([media]: readonly MediaType[]): string {
  return media?.schema?.$ref === undefined ? '' : ` (\`${nameOfReference(media.schema)}\`)`;
}

function exampleOf([media]: readonly MediaType[]): string {
  const [example] = Object.values(media?.examples ?? {});
  return example === undefined ? '' : `\n\`\`\`json\n${JSON.stringify(example.value, null, 2)}\n\`\`\`\n`;
}

function typeOf({ $ref, type, items, oneOf, anyOf, allOf, enum: values, const: constant }: Schema): string {
  if ($ref !== undefined) return nameOfReference({ $ref });
  if (constant !== undefined) return `\`${JSON.stringify(constant)}\``;
  if (values !== undefined) return values.map((one) => `\`${one}\``).join(', ');
  if (items !== undefined) return `list of ${typeOf(items)}`;
  const variants = oneOf ?? anyOf ?? allOf;
  if (variants !== undefined) return [...new Set(variants.map(typeOf))].join(allOf ? ' and ' : ' or ');
  return typeof type === 'string' ? type : (type ?? ['any']).join(' or ');
}

/** Fits into a cell of a table. */
function oneLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.join(' ').trim().replaceAll('|', '\\|');
}
