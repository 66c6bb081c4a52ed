/** Follows the references of a document. */
import { own } from '../platform/text/own.ts';
import type { Reference, Schema } from './types.ts';

type Node = Readonly<Record<string, unknown>>;

/** What a reference leads to, with what stands beside it laid over; itself if it is none. Throws if it leads nowhere. */
export function followed<T extends object>(document: object, node: T | Reference): T {
  const { $ref, ...beside } = node as Partial<Reference>;
  if (typeof $ref !== 'string') return node as T;
  const target = followed<T>(document, nodeAt(document, $ref) as T | Reference);
  return Object.keys(beside).length === 0 ? target : { ...target, ...beside };
}

function nodeAt(document: object, reference: string): object {
  const steps = reference.replace(/^#\//, '').split('/');
  const found = steps.reduce<unknown>(
    (tree, step) => own(tree as Node | undefined, step.replaceAll('~1', '/').replaceAll('~0', '~')),
    document,
  );
  if (typeof found !== 'object' || found === null)
    throw new Error(`the document has nothing at ${reference}`);
  return found;
}

export function isReference(node: object): node is Reference {
  return '$ref' in node;
}

/** The last part of a reference. */
export function nameOfReference({ $ref = '' }: { $ref?: string }): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

/**
 * A copy with every reference followed, however deep. What is copied twice is one object. No schema of a document may
 * contain itself.
 */
export function dereferenced<T extends object>(document: object, node: T): T {
  const known = knownOf(document);
  const copy = (value: unknown): unknown => {
    if (value === null || typeof value !== 'object') return value;
    const before = known.get(value);
    if (before !== undefined) return before;
    const target = Array.isArray(value) ? value : followed<object>(document, value);
    const made = Array.isArray(target)
      ? target.map(copy)
      : Object.fromEntries(Object.entries(target).map(([key, inner]) => [key, copy(inner)]));
    known.set(value, made);
    return made;
  };
  return copy(node) as T;
}

/** Copies by what was copied, of each document. */
const copies = new WeakMap<object, WeakMap<object, object>>();

function knownOf(document: object): WeakMap<object, object> {
  const known = copies.get(document) ?? new WeakMap();
  copies.set(document, known);
  return known;
}

/** The named schemas that `roots` refer to, directly or through others, in the order in which they are met. */
export function schemasBehind(document: object, roots: unknown): Map<string, Schema> {
  const found = new Map<string, Schema>();
  const seen = new Set<string>();
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return;
    const { $ref } = node as Partial<Reference>;
    if (typeof $ref === 'string' && !seen.has($ref)) {
      seen.add($ref);
      const target = nodeAt(document, $ref);
      if ($ref.startsWith('#/components/schemas/')) found.set(nameOfReference({ $ref }), target as Schema);
      visit(target);
    }
    for (const inner of Object.values(node)) visit(inner);
  };
  visit(roots);
  return found;
}
