/** What was judged good before, by its content: `npm run check` judges it again only after a change. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Ignored by git. */
export const cache = fileURLToPath(new URL('../.cache/check/', import.meta.url));

export interface Known {
  has: (key: string) => boolean;
  add: (key: string) => void;
  /** Only what was asked for and found, or added: what is no longer needed is forgotten. */
  save: () => void;
}

/** `name` is that of a file; with `isEmpty` nothing is known yet. */
export function openKnown(name: string, isEmpty: boolean): Known {
  const file = `${cache}${name}`;
  const before = new Set(isEmpty ? [] : linesOf(file));
  const after = new Set<string>();
  return {
    has: (key) => after.has(key) || (before.has(key) && after.add(key).has(key)),
    add: (key) => after.add(key),
    save: () => {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, [...after].join('\n'));
    },
  };
}

/** A hash of the texts, and of where each ends. */
export function keyOf(...texts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(`${text.length} `).update(text);
  return hash.digest('base64url');
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}
