/** The Python types of what the service takes and returns. */

import { nameOfReference } from '../../src/contract/references.ts';
import { resolved, type Schema, schemaNamed } from '../document.ts';
import { inLines } from '../lines.ts';
import { type Argument, capital, type Method, methods } from '../methods.ts';

/** What is written so far, each after what it is made of. */
const written = new Map<string, string>();

/** The Python type of a schema. Writes the classes that it names. */
export function typeOf(schema: Schema, name: string): string {
  if (schema.$ref !== undefined) return named(nameOfReference(schema));
  const { const: only, enum: values, oneOf } = schema;
  if (only !== undefined) return `Literal["${only}"]`;
  if (values !== undefined) return `Literal[${values.map((value) => `"${value}"`).join(', ')}]`;
  if (oneOf !== undefined)
    return `Union[${oneOf.map((one, place) => typeOf(one, `${name}${place + 1}`)).join(', ')}]`;
  if (schema.type === 'array') return `list[${typeOf(schema.items ?? {}, `${name}Item`)}]`;
  if (schema.properties !== undefined) return classFor(name, schema);
  if (typeof schema.additionalProperties === 'object')
    return `dict[str, ${typeOf(schema.additionalProperties, `${name}Value`)}]`;
  if (schema.format === 'binary') return 'bytes';
  // An extensible list of values is any text.
  const plain: Record<string, string> = { string: 'str', integer: 'int', number: 'float', boolean: 'bool' };
  return plain[String(schema.type ?? (schema.anyOf === undefined ? '' : 'string'))] ?? 'object';
}

/** Objects, unions and lists of values get a name; what is only text or a number does not. */
function named(name: string): string {
  const schema = schemaNamed(name);
  const type = typeOf(schema, name);
  if (type === name || !/^(Union|Literal)\[/.test(type)) return type;
  if (!written.has(name)) written.set(name, `${comment(schema)}${name} = ${broken(type)}\n`);
  return name;
}

/** Python before 3.11 has no NotRequired: what is always present is in a base class. */
function classFor(name: string, schema: Schema): string {
  if (written.has(name)) return name;
  const { properties = {}, required = [] } = schema;
  const typed = Object.entries(properties).map(([property, one]) => ({
    property,
    always: required.includes(property),
    about: one.description === undefined ? resolved(one) : one,
    type: typeOf(one, name + property[0]?.toUpperCase() + property.slice(1)),
  }));
  const words = typed.filter(({ property }) => pythonWords.has(property));
  const fields = typed
    .filter((field) => !words.includes(field))
    .map(({ property, always, about, type }) => ({
      always,
      line: `${comment(about, '    ')}    ${property}: ${broken(type, '    ')}`,
    }));
  const lines = (always: boolean) =>
    fields.filter((field) => field.always === always).map(({ line }) => line);
  const doc = schema.description === undefined ? '' : `    """${inLines(schema.description, '    ')}"""\n\n`;
  const [base, own] = [lines(true), lines(false)];
  if (own.length === 0) written.set(name, `class ${name}(TypedDict):\n${doc}${base.join('\n')}\n`);
  else if (base.length === 0)
    written.set(name, `class ${name}(TypedDict, total=False):\n${doc}${own.join('\n')}\n`);
  else {
    const bases = [`_${name}`, ...(words.length === 0 ? [] : [`_${name}Words`])];
    written.set(
      name,
      `class _${name}(TypedDict):\n${base.join('\n')}\n\n\n${wordsOf(name, words)}class ${name}(${bases.join(', ')}, total=False):\n${doc}${own.join('\n')}\n`,
    );
  }
  return name;
}

/** Words of the language that properties have as names: no class can have them. */
const pythonWords: ReadonlySet<string> = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for
   from global if import in is lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
);

/** Optional properties with such names. */
function wordsOf(name: string, words: readonly { property: string; type: string }[]): string {
  if (words.length === 0) return '';
  const fields = words.map(({ property, type }) => `"${property}": ${type}`).join(', ');
  return `_${name}Words = TypedDict("_${name}Words", {${fields}}, total=False)\n\n\n`;
}

function comment({ description }: Schema, indent = ''): string {
  return description === undefined ? '' : `${indent}#: ${inLines(description, `${indent}#: `)}\n`;
}

/** A long list of values or types has a line for each. */
function broken(type: string, indent = ''): string {
  if (type.length < 90) return type;
  const parts = type.slice(type.indexOf('[') + 1, -1).split(', ');
  return `${type.slice(0, type.indexOf('['))}[\n${parts.map((part) => `${indent}    ${part},\n`).join('')}${indent}]`;
}

/** What an operation answers; if the document does not name it, it is called after the operation. */
export const answerTypeOf = ({ operationId, answer }: Pick<Method, 'operationId' | 'answer'>) =>
  typeOf(answer, `${capital(operationId)}Response`);

for (const method of methods) answerTypeOf(method);
named('ChatAppParameter');
named('ChatAppFallback');
named('ChatAppMedia');
named('Denomination');
const receipts = ['SmsDeliveryReceipt', 'DataDeliveryReceipt', 'ChatAppDeliveryReceipt'].map(named);
written.set(
  'DeliveryReceipt',
  `#: What became of a message.\nDeliveryReceipt = Union[${receipts.join(', ')}]\n`,
);
written.set(
  'Posted',
  `#: What is posted to a callback URL.\nPosted = Union[DeliveryReceipt, ${named('InboundMessage')}]\n`,
);

const words: Record<string, string> = { text: 'str', recipients: 'To', values: 'Mapping[str, str]' };

/** The type of an argument: more than one form of a time or a list will do. */
export function argumentTypeOf(type: Argument['type']): string {
  if (typeof type === 'string')
    return type.endsWith('[]') ? `Iterable[${within(type.slice(0, -2))}]` : (words[type] ?? within(type));
  const schema = resolved(type);
  if (schema.format === 'date-time') return 'Instant';
  if (schema.type === 'array') return `Sequence[${argumentTypeOf(schema.items ?? {})}]`;
  // Filters with many values take any text.
  if ((schema.enum?.length ?? 0) > 4) return 'str';
  return schema.enum === undefined ? within(typeOf(type, '')) : typeOf(schema, '');
}

/** As another module names it. */
export function within(type: string): string {
  return type.replaceAll(/\w+/g, (name) => (written.has(name) ? `responses.${name}` : name));
}

export const responses = `"""What the service returns and posts, as the OpenAPI document says: written by npm run generate.

Responses and receipts may gain properties and values: ignore what you do not know.
"""

from typing import Literal, TypedDict, Union


${[...written.values()].join('\n\n')}`;
