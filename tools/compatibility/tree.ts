/** Reads places of an OpenAPI document, with references followed. */
import { isDeepStrictEqual } from 'node:util';
import { followed } from '../../src/contract/references.ts';

export type Node = { readonly [key: string]: unknown };

/** One version of the document, from which references are followed. */
export type Root = Node;

export function isNode(value: unknown): value is Node {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** The object at `value`, its reference followed. Anything else is empty. */
export function resolve(root: Root, value: unknown): Node {
  return isNode(value) ? followed<Node>(root, value) : {};
}

/** The named children of an object. */
export function entries(value: unknown): Map<string, unknown> {
  return new Map(isNode(value) ? Object.entries(value) : []);
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The names of both, once each. */
export function namesOf(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])];
}

export function equal(before: unknown, after: unknown): boolean {
  return isDeepStrictEqual(before, after);
}
