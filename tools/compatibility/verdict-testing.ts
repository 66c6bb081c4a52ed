/** Judges changes to a document for tests. */
import { compareDocuments } from './document.ts';

// biome-ignore lint/suspicious/noExplicitAny: mutations reach anywhere into a document.
export type Tree = any;

export type Row = [rule: string, mutate: (document: Tree) => unknown];

type Verdict = 'as released' | 'compatible' | 'to be looked at' | 'breaking';

export function verdictOn(released: Tree, mutate: (document: Tree) => unknown): Verdict {
  const before = structuredClone(released);
  // Aliases of YAML are one object: each is to be changed alone.
  const after = JSON.parse(JSON.stringify(released));
  mutate(after);
  const changes = compareDocuments(before, after);
  if (changes.length === 0) return 'as released';
  if (changes.some(({ breaking }) => breaking)) return 'breaking';
  return changes.some(({ wasIgnored }) => wasIgnored !== undefined) ? 'to be looked at' : 'compatible';
}
