/**
 * Finds the properties of a body that its schema tolerates and does not know: one that is a misspelling of a known one
 * is not tolerated, and the others have no effect, which the client is told.
 */

import type { Schema } from '../../contract/types.ts';
import { meantBy } from '../../platform/text/misspelling.ts';
import { own } from '../../platform/text/own.ts';
import { pointerPart } from './violations.ts';

export interface UnknownProperties {
  /** JSON pointers, in the order of the body; each property of a list's items once, at its first place. */
  ignored: string[];
  /** The sentence of the first that is misspelt. */
  misspelt?: string;
}

export type FindUnknown = (body: unknown) => UnknownProperties;

/** Enough to find a mistake; a body may have thousands. */
const mostListed = 20;
const mostLookedAt = 100;

/** Notes what is unknown in a value at a place; `kind` is the place without the numbers of items. */
type Walk = (value: unknown, place: string, kind: string, notes: Notes) => void;

interface Notes extends UnknownProperties {
  seen: Set<string>;
}

/** Undefined for a schema without an object that tolerates unknown properties. References must be resolved. */
export function createUnknownFinder(schema: Schema): FindUnknown | undefined {
  const walk = walkOf(schema);
  if (walk === undefined) return undefined;
  return (body) => {
    const notes: Notes = { ignored: [], seen: new Set() };
    walk(body, '', '', notes);
    const { ignored, misspelt } = notes;
    return misspelt === undefined ? { ignored } : { ignored, misspelt };
  };
}

function walkOf(schema: Schema): Walk | undefined {
  if (schema.oneOf !== undefined) return variantWalk(schema.oneOf);
  if (schema.items !== undefined) return listWalk(schema.items);
  const alternatives = schema.anyOf ?? [schema];
  const properties = Object.assign({}, ...alternatives.map((one) => one.properties)) as NonNullable<
    Schema['properties']
  >;
  return objectWalk(properties, alternatives.some(isOpen));
}

const isOpen = ({ properties, additionalProperties }: Schema) =>
  properties !== undefined && additionalProperties === undefined;

/** By the `type` that each variant demands. */
function variantWalk(variants: readonly Schema[]): Walk | undefined {
  const walks = new Map<unknown, Walk>();
  for (const variant of variants) {
    const walk = walkOf(variant);
    if (walk !== undefined) walks.set(variant.properties?.type?.const, walk);
  }
  if (walks.size === 0) return undefined;
  return (value, place, kind, notes) => {
    if (isObject(value)) walks.get(value.type)?.(value, place, kind, notes);
  };
}

function listWalk(items: Schema): Walk | undefined {
  const walk = walkOf(items);
  if (walk === undefined) return undefined;
  return (value, place, kind, notes) => {
    if (!Array.isArray(value)) return;
    for (const [index, item] of value.entries()) walk(item, `${place}/${index}`, `${kind}/*`, notes);
  };
}

function objectWalk(properties: Readonly<Record<string, Schema>>, open: boolean): Walk | undefined {
  const known = new Map(Object.entries(properties).map(([name, schema]) => [name, walkOf(schema)]));
  if (!open && ![...known.values()].some((walk) => walk !== undefined)) return undefined;
  return (value, place, kind, notes) => {
    if (!isObject(value)) return;
    for (const name of Object.keys(value)) {
      const walk = known.get(name);
      if (walk !== undefined) walk(own(value, name), `${place}/${name}`, `${kind}/${name}`, notes);
      else if (open && !known.has(name)) note(name, [...known.keys()], place, kind, notes);
    }
  };
}

function note(name: string, known: readonly string[], place: string, kind: string, notes: Notes): void {
  const { seen, ignored } = notes;
  if (seen.size >= mostLookedAt) return;
  const part = pointerPart(name);
  if (seen.has(`${kind}/${part}`)) return;
  seen.add(`${kind}/${part}`);
  if (ignored.length < mostListed) ignored.push(`${place}/${part}`);
  const meant = meantBy(name, known);
  if (meant !== undefined) notes.misspelt ??= `${place}/${part} is not allowed: did you mean ${meant}?`;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** As a header can hold them: percent-encoded, separated by commas. */
export function headerOf(pointers: readonly string[]): string {
  return pointers.map((pointer) => pointer.split('/').map(encodeURIComponent).join('/')).join(', ');
}
