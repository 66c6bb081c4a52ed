/** Schemas of an OpenAPI document in Markdown, linked to each other on the page that shows them. */
import { own } from '../../platform/text/own.ts';
import { createIds } from '../render/plain.ts';
import { type ApiDocument, nameOfReference, type Schema } from './document.ts';

/** The named schemas that these refer to, however indirectly, in the order in which a reader meets them. */
export function schemasIn(
  { components }: ApiDocument,
  roots: readonly (Schema | undefined)[],
): [string, Schema][] {
  const found = new Map<string, Schema>();
  const visit = (schema: Schema | undefined): void => {
    if (schema === undefined) return;
    const { $ref, items, properties = {}, oneOf = [], anyOf = [], allOf = [], additionalProperties } = schema;
    if ($ref !== undefined) {
      const name = nameOfReference(schema);
      const named = own(components.schemas, name);
      if (named === undefined || found.has(name)) return;
      found.set(name, named);
      visit(named);
    }
    for (const inner of [...Object.values(properties), ...oneOf, ...anyOf, ...allOf]) visit(inner);
    visit(items);
    if (typeof additionalProperties === 'object') visit(additionalProperties);
  };
  for (const root of roots) visit(root);
  return [...found];
}

export function schemaText(name: string, schema: Schema): string {
  const required = schema.required ?? [];
  const rows = Object.entries(schema.properties ?? {}).map(
    ([property, one]) =>
      `| \`${property}\`${required.includes(property) ? ', required' : ''} | ${typeOf(one)} | ${oneLine(one.description ?? '')} |\n`,
  );
  const description = schema.description === undefined ? '' : `${schema.description.trim()}\n\n`;
  const shape =
    rows.length === 0 ? `${typeOf(schema)}\n` : `| property | type | |\n|---|---|---|\n${rows.join('')}`;
  return `### ${name}\n\n${description}${shape}`;
}

/** In words, with links to named schemas. */
export function typeOf(schema: Schema): string {
  const { $ref, type, items, oneOf, anyOf, allOf, enum: values, const: constant } = schema;
  if ($ref !== undefined) {
    const name = nameOfReference(schema);
    return `[${name}](#${createIds().ofHeading(name)})`;
  }
  if (constant !== undefined) return `\`${JSON.stringify(constant)}\``;
  if (values !== undefined) return values.map((one) => `\`${one}\``).join(', ');
  if (items !== undefined) return `list of ${typeOf(items)}`;
  const variants = oneOf ?? anyOf ?? allOf;
  if (variants !== undefined) return [...new Set(variants.map(typeOf))].join(allOf ? ' and ' : ' or ');
  return typeof type === 'string' ? type : (type ?? ['any']).join(' or ');
}

/** Fits into a cell of a table. */
export function oneLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.join(' ').trim().replaceAll('|', '\\|');
}
