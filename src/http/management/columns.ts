/** The columns in which the document shows resources, and how their values are found. */
import type { Json } from '../../contract/document.ts';
import type { Schema } from '../../contract/types.ts';
import type { Column } from '../../contract/words.ts';
import { own } from '../../platform/text/own.ts';

/** A resource, or another answer of an operation. */
export type Shown = { [name: string]: Json };

/** The path of what differs between the properties `before` and `after` of an audit entry. */
export const changes = 'before..after';

/** Name and path of each; `teamId` is a team to people. */
export function namedColumns(columns: readonly Column[]): [name: string, path: string][] {
  return columns.flatMap((column) =>
    typeof column === 'string' ? [[column.replace(/(?<=.)Id$/, ''), column]] : Object.entries(column),
  );
}

/** The value at a path such as `actor.name` or `attempts.length`. */
export function valueAt(one: Shown, path: string): Json | undefined {
  return path.split('.').reduce<Json | undefined>((inner, step) => {
    if (Array.isArray(inner)) return step === 'length' ? inner.length : undefined;
    return inner !== null && typeof inner === 'object' ? own(inner, step) : undefined;
  }, one);
}

/** The properties that differ, in the order of the alphabet. */
export function changedNames({ before, after }: Shown): string[] {
  const [old, fresh] = [before ?? {}, after ?? {}] as [Shown, Shown];
  const names = [...new Set([...Object.keys(old), ...Object.keys(fresh)])].sort();
  return names.filter(
    (name) => JSON.stringify(own(old, name) ?? null) !== JSON.stringify(own(fresh, name) ?? null),
  );
}

/** Columns for a schema that names none: every property with one value. */
export function scalarsOf({ properties = {} }: Schema): string[] {
  return Object.entries(properties).flatMap(([name, { type, enum: values, anyOf }]) =>
    values !== undefined ||
    anyOf !== undefined ||
    ['string', 'integer', 'number', 'boolean'].includes(type as string)
      ? [name]
      : [],
  );
}
