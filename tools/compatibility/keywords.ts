/** Compares the values that two versions of a schema allow, keyword by keyword. */
import type { Shift } from './change.ts';
import { entries, equal, isNode, list, type Node } from './tree.ts';

/** Keywords that allow or refuse nothing. */
const annotations = new Set([
  'title',
  'summary',
  'description',
  'example',
  'examples',
  'deprecated',
  'externalDocs',
  'discriminator',
  '$comment',
]);

/** Keywords that hold further schemas; schemas.ts walks into them. */
const nested = new Set(['properties', 'items', 'oneOf', 'anyOf', 'additionalProperties']);

type Judge = (before: unknown, after: unknown) => Shift | undefined;

const upperLimit: Judge = (before, after) => limit(-Number(before ?? Infinity), -Number(after ?? Infinity));
const lowerLimit: Judge = (before, after) => limit(Number(before ?? -Infinity), Number(after ?? -Infinity));
const limit = (before: number, after: number) =>
  after === before ? undefined : after > before ? 'narrowed' : 'widened';

const judges: Readonly<Record<string, Judge>> = {
  maxLength: upperLimit,
  maxItems: upperLimit,
  maximum: upperLimit,
  exclusiveMaximum: upperLimit,
  maxProperties: upperLimit,
  minLength: lowerLimit,
  minItems: lowerLimit,
  minimum: lowerLimit,
  exclusiveMinimum: lowerLimit,
  minProperties: lowerLimit,
  required: (before, after) => ofSets(list(after), list(before)),
  type: (before, after) => ofSets(typesOf(before), typesOf(after)),
};

/** A rule without an order of its own: adding it rejects more, removing it less. */
const anyRule: Judge = (before, after) => {
  if (equal(before, after)) return undefined;
  return before === undefined ? 'narrowed' : after === undefined ? 'widened' : 'changed';
};

const allTypes = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

/** `number` includes `integer`. */
function typesOf(type: unknown): readonly unknown[] {
  const types = type === undefined ? allTypes : [type].flat();
  return types.includes('number') ? [...types, 'integer'] : types;
}

/** `before` and `after` are what is allowed. */
function ofSets(before: readonly unknown[], after: readonly unknown[]): Shift | undefined {
  const lost = before.some((one) => !after.includes(one));
  const won = after.some((one) => !before.includes(one));
  return lost ? (won ? 'changed' : 'narrowed') : won ? 'widened' : undefined;
}

export interface KeywordShift {
  shift: Shift;
  what: string;
}

/** What changed in the rules of this schema, without those of the schemas inside it. */
export function keywordShifts(before: Node, after: Node): KeywordShift[] {
  const keywords = new Set([...Object.keys(before), ...Object.keys(after)]);
  const shifts = [...keywords]
    .filter(
      (keyword) => !annotations.has(keyword) && !nested.has(keyword) && !/^x-|^(enum|const)$/.test(keyword),
    )
    .flatMap((keyword) => {
      const shift = (judges[keyword] ?? anyRule)(before[keyword], after[keyword]);
      return shift === undefined
        ? []
        : [{ shift, what: `${keyword} ${wordOf(before[keyword])} → ${wordOf(after[keyword])}` }];
    });
  return [...shifts, ...valueShifts(before, after)];
}

/**
 * Values that are listed are names that programs know: a client that reads them has a branch for each, so one
 * that is gone is `removed` for it, and one that is new widens what it must read.
 */
function valueShifts(before: Node, after: Node): KeywordShift[] {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  if (old === undefined || now === undefined) {
    if (old === now) return [];
    const what = `values ${wordOf(old)} → ${wordOf(now)}`;
    return [{ shift: old === undefined ? 'narrowed' : 'widened', what }];
  }
  const shifts: KeywordShift[] = [];
  for (const value of old)
    if (!now.some((one) => equal(one, value)))
      shifts.push({ shift: 'removed', what: `value ${wordOf(value)} is gone` });
  for (const value of now)
    if (!old.some((one) => equal(one, value)))
      shifts.push({ shift: 'widened', what: `value ${wordOf(value)} is new` });
  return shifts;
}

/** Of values that readers know, but for which they must be ready for others: one that is new breaks nobody. */
export function knownValueShifts(before: Node, after: Node): KeywordShift[] {
  return valueShifts(before, after).map(({ shift, what }) => ({
    shift: shift === 'widened' ? 'added' : shift,
    what,
  }));
}

function valuesOf(schema: Node): readonly unknown[] | undefined {
  if ('const' in schema) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : undefined;
}

/** What tells a variant of a union from the others: the constants of its properties. */
export function variantName(variant: Node, index: number): string {
  const constants = [...entries(variant.properties).values()].flatMap((property) =>
    isNode(property) && 'const' in property ? [String(property.const)] : [],
  );
  return constants.join(',') || String(index);
}

function wordOf(value: unknown): string {
  if (value === undefined) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
