/** Fails for every regular expression that a hostile text could keep busy for more than linear time. */
import { builtPatterns, exceptions } from './answers.ts';
import { judge, judgeBuilt } from './judge.ts';
import { projectPatterns } from './project.ts';

const { patterns, built } = projectPatterns();
const faults = [...judge(patterns, exceptions), ...judgeBuilt(built, builtPatterns)];
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
