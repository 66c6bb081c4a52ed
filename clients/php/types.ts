/** The types of PHP: what the language checks, and the shapes of arrays that PHPStan, Psalm and editors know. */

import { nameOfReference } from '../../src/contract/references.ts';
import { resolved, type Schema, schemaNamed } from '../document.ts';
import { inLines } from '../lines.ts';
import type { Argument } from '../methods.ts';

/** The shapes so far, by name. */
const shapes = new Map<string, string>();

/** The shape of a schema. Objects, unions and lists of values keep the names that the document gives them. */
export function shapeOf(schema: Schema, indent = ''): string {
  if (schema.$ref !== undefined) return named(nameOfReference(schema));
  const { const: only, enum: values, oneOf, items, additionalProperties: more } = schema;
  if (only !== undefined) return `'${only}'`;
  if (values !== undefined) return values.map((value) => `'${value}'`).join('|');
  if (oneOf !== undefined) return oneOf.map((one) => shapeOf(one, indent)).join('|');
  if (items !== undefined) return `list<${shapeOf(items, indent)}>`;
  if (schema.properties !== undefined) return arrayOf(schema, indent);
  if (typeof more === 'object') return `array<string, ${shapeOf(more, indent)}>`;
  // An extensible list of values is any text.
  const plain: Record<string, string> = {
    string: 'string',
    integer: 'int',
    number: 'float',
    boolean: 'bool',
  };
  return plain[String(schema.type ?? (schema.anyOf === undefined ? '' : 'string'))] ?? 'mixed';
}

function arrayOf({ properties = {}, required = [] }: Schema, indent: string): string {
  const fields = Object.entries(properties).map(([name, one]) => {
    const mark = required.includes(name) ? '' : '?';
    return ` * ${indent}    ${name}${mark}: ${shapeOf(one, `${indent}    `)},\n`;
  });
  return `array{\n${fields.join('')} * ${indent}}`;
}

function named(name: string): string {
  const schema = schemaNamed(name);
  if (schema.properties === undefined && schema.oneOf === undefined && schema.enum === undefined)
    return shapeOf(schema);
  if (!shapes.has(name)) {
    // So that a shape that contains itself ends.
    shapes.set(name, '');
    const about =
      schema.description === undefined ? '' : ` * ${inLines(`${name}: ${schema.description}`, ' * ')}\n *\n`;
    shapes.set(name, `${about} * @phpstan-type ${name} ${shapeOf(schema)}\n`);
  }
  return name;
}

interface ArgumentType {
  /** What the language checks. */
  type: string;
  /** What the documentation says. */
  shape: string;
}

const words: Record<string, ArgumentType> = {
  text: { type: 'string', shape: 'string' },
  recipients: { type: 'string|array', shape: 'string|list<string>' },
  values: { type: 'array', shape: 'array<string, string>' },
};

/** The type of an argument: more than one form of a time will do. */
export function argumentTypeOf(type: Argument['type']): ArgumentType {
  if (typeof type === 'string') {
    if (!type.endsWith('[]')) return words[type] ?? argumentTypeOf({ $ref: `#/components/schemas/${type}` });
    return { type: 'array', shape: `list<${type.slice(0, -2)}>` };
  }
  const schema = resolved(type);
  const instant = 'string|\\DateTimeInterface';
  if (schema.format === 'date-time') return { type: instant, shape: instant };
  if (schema.properties !== undefined) return { type: 'array', shape: shapeOf(type) };
  const shape = shapeOf(schema);
  if (schema.items !== undefined) return { type: 'array', shape };
  if (schema.enum === undefined) return { type: shape, shape };
  // Filters with many values take any text.
  return { type: 'string', shape: schema.enum.length > 4 ? 'string' : shape };
}

/** Those of Types that a text names. */
export const shapesIn = (text: string) => (text.match(/\w+/g) ?? []).filter((name) => shapes.has(name));

export const shapesText = () =>
  [...shapes.keys()]
    .toSorted()
    .map((name) => shapes.get(name))
    .join(' *\n');
