/** Reads and writes values in a provider's JSON by dotted names, such as `reason.code` or `0.status`. */

import { own } from '../../platform/text/own.ts';

export function valueAt(document: unknown, name: string): unknown {
  let place = document;
  for (const key of name.split('.')) {
    if (place === null || typeof place !== 'object') return undefined;
    place = own(place as Record<string, unknown>, key);
  }
  return place;
}

/** A number counts as the text it is written as; undefined when there is nothing, or something else. */
export function textAt(document: unknown, name: string): string | undefined {
  const value = valueAt(document, name);
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The first of several names, written with `|` between them, that holds a text. */
export function firstAt(document: unknown, names: string): string | undefined {
  for (const name of names.split('|')) {
    const text = textAt(document, name);
    if (text !== undefined) return text;
  }
  return undefined;
}

type Place = Record<string, unknown>;

/** Names with a common beginning share an object, or a list where the next key is a number; undefined values are left out. */
export function documentOf(values: Iterable<readonly [name: string, value: unknown]>): object {
  const document: Place = {};
  for (const [name, value] of values) {
    if (value === undefined) continue;
    const keys = name.split('.');
    const last = keys.pop() ?? name;
    let place = document;
    for (const [index, key] of keys.entries()) {
      const empty = /^\d+$/.test(keys[index + 1] ?? last) ? [] : {};
      const inner = (own(place, key) ?? empty) as Place;
      place[key] = inner;
      place = inner;
    }
    place[last] = value;
  }
  return document;
}
