/** Writes each file as Biome formats it, and what it can mend by itself: `npm run format`. */
import { commandOf, runAll } from './programs.ts';

runAll([[commandOf('@biomejs/biome', 'biome'), 'check', '--write', ...process.argv.slice(2)]]);
