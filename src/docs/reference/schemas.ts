/** Schemas of an OpenAPI document in Markdown, linked to each other on the page that shows them. */

import { followed, isReference, nameOfReference, schemasBehind } from '../../contract/references.ts';
import type { Schema, Tree } from '../../contract/types.ts';
import { createIds } from '../render/plain.ts';

/**
 * The named schemas that have a section and that these refer to, however indirectly, in the order in which a reader
 * meets them.
 */
export function schemasIn(document: Tree, roots: readonly (Schema | undefined)[]): Map<string, Schema> {
  const found = schemasBehind(document, roots);
  return new Map([...found].filter(([, schema]) => hasSection(document, schema)));
}

/** Its named variants if it is one of several, itself with what it lists if it is a page of a list, or else itself. */
export function leadingSchemas(document: Tree, root: Schema): string[] {
  const schema = followed<Schema>(document, root);
  const listed = schema.properties?.items?.items;
  const leading = schema.properties === undefined ? [...variantsOf(schema), schema.items] : [root, listed];
  return leading
    .filter(
      (one) => one !== undefined && isReference(one) && hasSection(document, followed<Schema>(document, one)),
    )
    .map((one) => nameOfReference(one ?? {}));
}

/** Other schemas, such as that of a phone number, are described where they are used. */
function hasSection(document: Tree, schema: Schema): boolean {
  if (schema.properties !== undefined) return true;
  return variantsOf(schema).some((one) => hasSection(document, followed<Schema>(document, one)));
}

export function schemaText(document: Tree, name: string, schema: Schema): string {
  const parts = [descriptionOf(document, schema), shapeOf(document, schema)];
  return `### ${name}\n\n${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** A list of its properties; in words if it has none. */
function shapeOf(document: Tree, schema: Schema): string {
  return schema.properties === undefined ? typeOf(document, schema) : propertyList(document, schema, '');
}

/** Those of an object without a name are listed below it. */
function propertyList(document: Tree, { properties = {}, required = [] }: Schema, indent: string): string {
  return Object.entries(properties)
    .map(([name, one]) => {
      const inner = one.items ?? one;
      const below =
        !isReference(inner) && inner.properties !== undefined
          ? `\n${propertyList(document, inner, `${indent}  `)}`
          : '';
      const details = [typeOf(document, one), ...(required.includes(name) ? ['required'] : [])];
      return indent + listItem(name, details, descriptionOf(document, one), indent) + below;
    })
    .join('\n');
}

/** An item of a Markdown list about something with a name. */
export function listItem(name: string, details: readonly string[], description: string, indent = ''): string {
  const words = description === '' ? '' : `\\\n${indent}  ${oneLine(description)}`;
  return `- \`${name}\` *${details.join(', ')}*${words}`;
}

/** Its own, or that of the schema it refers to, if that has no section. */
export function descriptionOf(document: Tree, schema: Schema): string {
  if (schema.description !== undefined) return schema.description.trim();
  if (!isReference(schema)) return '';
  const named = followed<Schema>(document, schema);
  return hasSection(document, named) ? '' : descriptionOf(document, named);
}

/** In words, with links to the schemas that have a section. */
export function typeOf(document: Tree, schema: Schema): string {
  const { type, items, enum: values, const: constant } = schema;
  if (isReference(schema)) {
    const named = followed<Schema>(document, schema);
    const name = nameOfReference(schema);
    return hasSection(document, named)
      ? `[${name}](#${createIds().ofHeading(name)})`
      : typeOf(document, named);
  }
  if (constant !== undefined) return `\`${JSON.stringify(constant)}\``;
  if (values !== undefined) return values.map((one) => `\`${one}\``).join(', ');
  if (items !== undefined) return `list of ${plural(typeOf(document, items))}`;
  const variants = variantsOf(schema);
  if (variants.length > 0) {
    const types = [...new Set(variants.map((one) => typeOf(document, one)))];
    const isOpen = types.length > 1 && types[0]?.startsWith('`') && types.at(-1) === 'string';
    return isOpen
      ? `${types.slice(0, -1).join(', ')} or another string`
      : types.join(schema.allOf === undefined ? ' or ' : ' and ');
  }
  return typeof type === 'string' ? type : (type ?? ['any']).join(' or ');
}

function variantsOf({ oneOf = [], anyOf = [], allOf = [] }: Schema): Schema[] {
  return [...oneOf, ...anyOf, ...allOf];
}

function plural(type: string): string {
  return /^(string|integer|number|boolean|object)$/.test(type) ? `${type}s` : type;
}

/** Fits into a cell of a table, and into an item of a list. */
export function oneLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.join(' ').trim();
}
