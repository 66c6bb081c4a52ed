/** The files of the project whose patterns can meet text of others: all that is not a test. */
import { globSync, readFileSync } from 'node:fs';
import { isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { type Extracted, extractPatterns } from './extract.ts';
import type { Pattern } from './pattern.ts';

const root = new URL('../..', import.meta.url).pathname;
const code = ['{src,handlers,tools,clients}/**/*.{ts,js}', 'docs/assets/*.js'];
const notOurs = ['**/node_modules/**', '**/dist/**', 'tools/bench/**'];
const tests = ['**/*.test.ts', '**/{testing,*-testing}.ts'];

export function projectPatterns(): Extracted {
  const read = (file: string) => readFileSync(`${root}/${file}`, 'utf8');
  const files = globSync(code, { cwd: root, exclude: [...notOurs, ...tests] });
  const extracted = files.map((file) => extractPatterns(file, read(file)));
  const documents = globSync('generated/*.yaml', { cwd: root });
  return {
    patterns: [
      ...extracted.flatMap(({ patterns }) => patterns),
      ...documents.flatMap((file) => documentPatterns(file, read(file))),
    ],
    built: extracted.flatMap(({ built }) => built),
  };
}

export function documentPatterns(file: string, text: string): Pattern[] {
  const lines = new LineCounter();
  const patterns: Pattern[] = [];
  visit(parseDocument(text, { lineCounter: lines }), {
    // Sentences by keyword, one of which may be called `pattern`.
    Pair: (_key, { key }) => (isScalar(key) && key.value === 'x-errors' ? visit.SKIP : undefined),
    Scalar: (key, node, path) => {
      const parent = path.at(-1);
      const isPattern = key === 'value' && isPair(parent) && parent.key.value === 'pattern';
      if (!isPattern || typeof node.value !== 'string') return;
      patterns.push({ file, line: lines.linePos(node.range?.[0] ?? 0).line, source: node.value, flags: 'u' });
    },
  });
  return patterns;
}

/** A pair whose key is a scalar. */
function isPair(node: unknown): node is { key: { value: unknown } } {
  return typeof node === 'object' && node !== null && 'key' in node;
}
