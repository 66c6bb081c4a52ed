/** Everything that judges the code without running it: `npm run check`. */
import { commandOf, runAll } from './programs.ts';

runAll([
  [commandOf('typescript', 'tsc'), '--noEmit'],
  [commandOf('@biomejs/biome', 'biome'), 'check'],
  ['patterns/main.ts'],
  ['tools/lint-documents.ts'],
  ['tools/generate.ts', '--check'],
  ['tools/write-holidays.ts', '--check'],
]);
