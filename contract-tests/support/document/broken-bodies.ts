/**
 * Breaks a valid body in every single way that its schema rules out, and names the sentence that the response must
 * have.
 */
import { violations } from '../../../spec/document.ts';
import type { Schema } from '../../../src/contract/types.ts';
import { lengthOf } from './valid-bodies.ts';

export interface BrokenBody {
  body: unknown;
  /** What was done, and where. */
  fault: string;
  /** The published sentence; undefined where a rule of the domain decides, in its own place in the order of checks. */
  sentence: string | undefined;
}

/** Puts another value at the current place and returns the whole body; `undefined` removes it. */
type Put = (value: unknown) => unknown;

interface Place {
  schema: Schema;
  value: unknown;
  /** A JSON pointer; '' is the body. */
  at: string;
  put: Put;
}

/** All bodies with one fault. The body must be valid. */
export function brokenBodies(schema: Schema, body: unknown): BrokenBody[] {
  return [...broken({ schema, value: body, at: '', put: (value) => value })];
}

function* broken(place: Place): Generator<BrokenBody> {
  const { schema } = place;
  if (schema.oneOf !== undefined) yield* brokenUnion(place);
  else if (schema.anyOf !== undefined) yield* brokenChoice(place);
  else if (schema.type === 'object') yield* brokenObject(place);
  else if (schema.type === 'array') yield* brokenArray(place);
  else yield* brokenValue(place);
}

const named = (at: string) => (at === '' ? 'The request body' : at);
const count = (limit: number, noun: string) => `${limit} ${noun}${limit === 1 ? '' : 's'}`;
const atLeast = (limit: number, noun: string) =>
  limit === 1 ? 'must not be empty' : `must have at least ${count(limit, noun)}`;
const article = (type: string) => (/^[aeiou]/.test(type) ? 'an' : 'a');

/** A fault at a place against one keyword of its schema. `rule` is how it is said unless the document says it. */
function fault({ schema, at, put }: Place, keyword: string, value: unknown, rule: string): BrokenBody {
  const sentence = schema['x-errors']?.[keyword]?.replace('{pointer}', at) ?? `${named(at)} ${rule}`;
  const ruled = schema['x-enforced-by'] !== undefined && keyword !== 'type';
  return { body: put(value), fault: `${keyword} at ${at || '/'}`, sentence: ruled ? undefined : sentence };
}

function* wrongTypes(place: Place, type: string): Generator<BrokenBody> {
  for (const value of [null, 4.5, true, 'text', [], {}]) {
    if (typeOf(value) === type || (type === 'integer' && typeOf(value) === 'integer')) continue;
    yield fault(place, 'type', value, `must be ${article(type)} ${type}`);
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function* brokenUnion(place: Place): Generator<BrokenBody> {
  const { schema, value, at, put } = place;
  const tag = schema.discriminator?.propertyName ?? '';
  const tags = (schema.oneOf ?? []).map((variant) => variant.properties?.[tag]?.const);
  const given = value as Record<string, unknown>;
  yield* wrongTypes(place, 'object');
  const { [tag]: chosen, ...untagged } = given;
  yield { body: put(untagged), fault: `no ${tag} at ${at || '/'}`, sentence: `${at}/${tag} is required` };
  for (const unknown of ['NoSuchVariant', '', 4.5, null, []])
    yield {
      body: put({ ...given, [tag]: unknown }),
      fault: `${tag} ${JSON.stringify(unknown)} at ${at || '/'}`,
      sentence: `${at}/${tag} must be one of ${tags.join(', ')}`,
    };
  const variant = schema.oneOf?.[tags.indexOf(chosen)];
  if (variant !== undefined) yield* brokenObject({ ...place, schema: variant }, tag);
}

/** Broken in the alternative that the value belongs to; a missing field is required by the first alternative. */
function* brokenChoice(place: Place): Generator<BrokenBody> {
  const choices = place.schema.anyOf ?? [];
  const [first] = choices;
  const chosen = choices.find((choice) => violations(choice, place.value) === undefined);
  if (first === undefined || chosen === undefined) return;
  const own = (choice: Schema) => (choice.required ?? []).filter((name) => !isRequiredByAll(choices, name));
  for (const broken of brokenObject({ ...place, schema: chosen })) {
    const lacks = own(chosen).find((name) => broken.fault === `no ${place.at}/${name}`);
    yield lacks === undefined ? broken : { ...broken, sentence: `${place.at}/${own(first)[0]} is required` };
  }
}

const isRequiredByAll = (choices: readonly Schema[], name: string) =>
  choices.every(({ required = [] }) => required.includes(name));

/** `tag` is the field that selected this schema, and is broken by who selects. */
function* brokenObject(place: Place, tag?: string): Generator<BrokenBody> {
  const { schema, value, at, put } = place;
  const fields = value as Record<string, unknown>;
  if (tag === undefined) yield* wrongTypes(place, 'object');
  for (const name of (schema.required ?? []).filter((one) => one !== tag)) {
    const { [name]: _, ...rest } = fields;
    yield { body: put(rest), fault: `no ${at}/${name}`, sentence: `${at}/${name} is required` };
  }
  if (schema.additionalProperties === false)
    yield {
      body: put({ ...fields, unknownField: 1 }),
      fault: `a further field at ${at || '/'}`,
      sentence: `${at}/unknownField is not allowed`,
    };
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    if (name !== tag && name in fields)
      yield* broken({
        schema: property,
        value: fields[name],
        at: `${at}/${name}`,
        put: (inner) => put({ ...fields, [name]: inner }),
      });
}

function* brokenArray(place: Place): Generator<BrokenBody> {
  const { schema, value, at, put } = place;
  const items = value as unknown[];
  const { minItems = 0, maxItems, items: itemSchema = {} } = schema;
  yield* wrongTypes(place, 'array');
  if (minItems > 0) yield fault(place, 'minItems', items.slice(0, minItems - 1), atLeast(minItems, 'item'));
  if (maxItems !== undefined && items.length > 0)
    yield fault(
      place,
      'maxItems',
      Array.from({ length: maxItems + 1 }, (_, index) => items[index % items.length]),
      `must have at most ${count(maxItems, 'item')}`,
    );
  for (const index of new Set([0, items.length - 1]))
    if (index in items)
      yield* broken({
        schema: itemSchema,
        value: items[index],
        at: `${at}/${index}`,
        put: (inner) => put(items.with(index, inner)),
      });
}

function* brokenValue(place: Place): Generator<BrokenBody> {
  const { schema, value } = place;
  const { type, minLength = 0, maxLength } = schema;
  // What is in a list is within its limits.
  const { minimum, maximum } = schema.enum === undefined ? schema : {};
  if (typeof type === 'string') yield* wrongTypes(place, type);
  if (schema.enum !== undefined)
    yield fault(
      place,
      'enum',
      type === 'integer' ? 1 + Math.max(...(schema.enum as number[])) : 'NoSuchValue',
      `must be one of ${schema.enum.join(', ')}`,
    );
  if ('const' in schema) yield fault(place, 'const', 'NoSuchValue', `must be ${schema.const}`);
  if (minLength > 0)
    yield fault(place, 'minLength', 'a'.repeat(minLength - 1), atLeast(minLength, 'character'));
  if (maxLength !== undefined && typeof value === 'string')
    yield fault(
      place,
      'maxLength',
      `${value}${'a'.repeat(maxLength + 1 - lengthOf(value))}`,
      `must have at most ${count(maxLength, 'character')}`,
    );
  if (schema.pattern === '\\S') yield fault(place, 'pattern', ' \n', `must match ${schema.pattern}`);
  if (schema.format === 'uri') yield fault(place, 'format', 'no uri', 'must be an absolute URL');
  if (minimum !== undefined) yield fault(place, 'minimum', minimum - 1, `must be at least ${minimum}`);
  if (maximum !== undefined) yield fault(place, 'maximum', maximum + 1, `must be at most ${maximum}`);
}
