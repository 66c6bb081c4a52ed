/** Finds the patterns of an OpenAPI document: Ajv runs them on what clients send. */
import { isScalar, LineCounter, parseDocument, visit } from 'yaml';
import type { Pattern } from './pattern.ts';

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
