/** Reads places of an OpenAPI document, with references followed. */
import { isDeepStrictEqual } from 'node:util';

export type Node = { readonly [key: string]: unknown };

/** One version of the document, from which references are followed. */
export type Root = Node;

export function isNode(value: unknown): value is Node {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** The object at `value`; what stands beside a `$ref` is laid over what it refers to. Anything else is empty. */
export function resolve(root: Root, value: unknown): Node {
  if (!isNode(value)) return {};
  const { $ref, ...beside } = value;
  return typeof $ref === 'string' ? { ...resolve(root, lookUp(root, $ref)), ...beside } : value;
}

function lookUp(root: Root, reference: string): unknown {
  const steps = reference.replace(/^#\//, '').split('/');
  return steps.reduce<unknown>(
    (node, step) => (isNode(node) ? node[step.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
    root,
  );
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
