/** Fails for every regular expression that a hostile text could keep busy, and every look-up that finds what no object has by itself. */
import { openKnown } from '../known.ts';
import { builtPatterns, exceptions } from './answers.ts';
import { judge, judgeBuilt } from './judge.ts';
import { projectLookups } from './lookups.ts';
import { projectPatterns } from './project.ts';

const { patterns, built } = projectPatterns();
const known = openKnown('patterns', process.argv.includes('--all'));
const faults = [
  ...judge(patterns, exceptions, known),
  ...judgeBuilt(built, builtPatterns, known),
  ...projectLookups(new URL('../..', import.meta.url).pathname.replace(/\/$/, '')),
];
known.save();
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
