/** The files of the project whose patterns can meet text of others: all that is not a test. */
import { globSync, readFileSync } from 'node:fs';
import { documentPatterns } from './document.ts';
import { type Extracted, extractPatterns } from './extract.ts';

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
