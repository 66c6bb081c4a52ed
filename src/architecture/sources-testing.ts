/** Reads source files and what they import, for the tests of the code's layout. */
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

export interface Import {
  /** A path from the project's root, or the name of a package. */
  target: string;
  typeOnly: boolean;
}

export interface SourceFile {
  path: string;
  text: string;
  /** Without comments. */
  code: string;
  imports: Import[];
}

const root = new URL('../..', import.meta.url);

/** TypeScript files of a folder of the project, as paths from its root. */
export function filesBelow(folder: string): string[] {
  return readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
    .filter((path) => path.endsWith('.ts') && !path.includes('/node_modules/'));
}

export function readSource(path: string): SourceFile {
  const text = readFileSync(new URL(path, root), 'utf8');
  const code = text.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, '$1');
  return { path, text, code, imports: importsOf(path, code) };
}

/** The imports of every form; `path` is where the code stands. */
export function importsOf(path: string, code: string): Import[] {
  const pattern =
    /^(?:import|export)\s+(type\s)?(?:[\w*{}\s,$]+\sfrom\s+)?['"]([^'"]+)['"]|(:\s*|<)?\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm;
  return [...code.matchAll(pattern)].map(([, type, named, asType, called]) => {
    const written = named ?? called ?? '';
    return {
      target: written.startsWith('.') ? posix.join(posix.dirname(path), written) : written,
      typeOnly: type !== undefined || asType !== undefined,
    };
  });
}

/** The shortest way from a file back to itself. */
export function cycleThrough(start: string, targets: ReadonlyMap<string, readonly string[]>): string[] {
  const ways = [[start]];
  const seen = new Set<string>();
  for (const way of ways)
    for (const target of targets.get(way.at(-1) ?? '') ?? []) {
      if (target === start) return [[...way, start].join(' → ')];
      if (seen.has(target)) continue;
      seen.add(target);
      ways.push([...way, target]);
    }
  return [];
}
