/** Makes bodies that a schema of the document allows: by its rules, and with values its examples show. */
import fc from 'fast-check';
import { type DocumentedOperation, requestsOf, violations } from '../../../spec/document.ts';
import type { Schema } from '../../../src/contract/types.ts';

/** Values that the examples of an operation have for a property, by its name. */
export type Shown = ReadonlyMap<string, unknown[]>;

export function shownBy(operation: DocumentedOperation): Shown {
  const shown = new Map<string, unknown[]>();
  const walk = (value: unknown, name: string) => {
    if (Array.isArray(value)) for (const item of value) walk(item, name);
    else if (value !== null && typeof value === 'object')
      for (const [inner, one] of Object.entries(value)) walk(one, inner);
    else shown.set(name, [...(shown.get(name) ?? []), value]);
  };
  for (const example of requestsOf(operation).examples.values()) walk(example, '');
  return shown;
}

export interface Wishes {
  shown: Shown;
  /** Has every optional field, and unknown fields where they are tolerated. */
  full: boolean;
}

const unknownField = 'fieldThatNobodyKnows';
const longestList = 4;

/** Bodies of the schema, which has no references. `name` is the property it stands at. */
export function validBodies(schema: Schema, wishes: Wishes, name = ''): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants !== undefined)
    return fc.oneof(...variants.map((variant) => validBodies(variant, wishes, name)));
  switch (schema.type) {
    case 'object':
      return objects(schema, wishes);
    case 'array':
      return fc.array(validBodies(schema.items ?? {}, wishes, name), {
        minLength: Math.max(schema.minItems ?? 0, wishes.full ? 1 : 0),
        maxLength: Math.min(schema.maxItems ?? longestList, longestList),
      });
    case 'string':
      return shownOr(strings(schema), schema, wishes.shown.get(name));
    case 'integer':
    case 'number':
      return shownOr(numbers(schema), schema, wishes.shown.get(name));
    case 'boolean':
      return fc.boolean();
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objects(schema: Schema, wishes: Wishes): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    name,
    validBodies(property, wishes, name),
  ]);
  const model: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(fields);
  if (schema.additionalProperties !== false)
    model[unknownField] = fc.jsonValue({ maxDepth: 2 }).filter(isStorable);
  return fc.record(model, wishes.full ? {} : { requiredKeys: schema.required ?? [] });
}

/** Values of the examples lead past the first rules, any others to their edges. */
function shownOr(any: fc.Arbitrary<unknown>, schema: Schema, values: unknown[] = []): fc.Arbitrary<unknown> {
  const fitting = values.filter((value) => violations(schema, value) === undefined);
  if (fitting.length === 0) return any;
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...fitting) }, { weight: 1, arbitrary: any });
}

function strings({ minLength = 0, maxLength = 60, pattern, format }: Schema): fc.Arbitrary<string> {
  if (format === 'uri') return fc.webUrl().filter((url) => url.length <= maxLength);
  // Years that every database holds.
  if (format === 'date-time')
    return fc
      .date({ noInvalidDate: true, min: new Date('1900-01-02'), max: new Date('2999-12-31') })
      .map((date) => date.toISOString());
  const within = (text: string) => lengthOf(text) >= minLength && lengthOf(text) <= maxLength;
  const some = fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 60) });
  const matching = pattern === undefined ? some : fc.oneof(some, fc.stringMatching(new RegExp(pattern, 'u')));
  return fc
    .oneof({ weight: 5, arbitrary: matching }, fc.constantFrom('a'.repeat(minLength), 'a'.repeat(maxLength)))
    .filter((text) => within(text) && isStorable(text))
    .filter((text) => pattern === undefined || new RegExp(pattern, 'u').test(text));
}

function numbers({ type, minimum = -1e6, maximum = 1e6 }: Schema): fc.Arbitrary<number> {
  const edges = fc.constantFrom(minimum, maximum);
  if (type === 'integer') return fc.oneof(fc.integer({ min: minimum, max: maximum }), edges);
  return fc.oneof(
    fc.double({ min: minimum, max: maximum, noNaN: true }).map((one) => one + 0),
    edges,
  );
}

/** In Unicode code points. */
export function lengthOf(text: string): number {
  return [...text].length;
}

/** NUL and unpaired surrogates are rejected wherever they stand. */
function isStorable(value: unknown): boolean {
  return !/\\u(0000|[dD][89a-fA-F])/.test(JSON.stringify(value));
}
