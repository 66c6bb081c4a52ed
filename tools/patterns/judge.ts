/**
 * Judges patterns by their worst case: `recheck` proves it linear, or finds a text that takes longer. With a pattern that
 * takes cubic time, a text of 4 KB stops a process for seconds.
 */

import { checkSync } from 'recheck';
import recheck from 'recheck/package.json' with { type: 'json' };
import { type Known, keyOf } from '../known.ts';
import type { BuiltAnswer, Exception } from './answers.ts';
import type { BuiltPattern, Pattern } from './pattern.ts';

/** The faults of these patterns, a sentence each, beginning with the place. `known` has those that are safe. */
export function judge(
  patterns: readonly Pattern[],
  exceptions: readonly Exception[],
  known?: Known,
): string[] {
  const used = new Set<Exception>();
  const faults = patterns.flatMap(({ file, line, source, flags }) => {
    const exception = exceptions.find((one) => one.file === file && one.source === source);
    if (exception !== undefined) {
      used.add(exception);
      return [];
    }
    const fault = faultOf(source, flags, known);
    return fault === undefined ? [] : [`${file}:${line}: /${source}/${flags} ${fault}`];
  });
  const unused = exceptions.filter((exception) => !used.has(exception));
  return [...faults, ...unused.map(({ file, source }) => `${file}: unneeded exception for /${source}/`)];
}

/** The same for what is built from values of other files. */
export function judgeBuilt(
  built: readonly BuiltPattern[],
  answers: Readonly<Record<string, BuiltAnswer>>,
  known?: Known,
): string[] {
  const unanswered = built
    .filter(({ file }) => answers[file] === undefined)
    .map(
      ({ file, line }) =>
        `${file}:${line}: a pattern is built here; say in tools/patterns/answers.ts from what`,
    );
  const unneeded = Object.keys(answers)
    .filter((answered) => !built.some(({ file }) => file === answered))
    .map((file) => `${file}: builds no pattern, but tools/patterns/answers.ts names it`);
  const slow = Object.entries(answers).flatMap(([file, answer]) =>
    'patterns' in answer ? slowOnes(file, answer.patterns(), known) : [],
  );
  return [...unanswered, ...unneeded, ...slow];
}

function slowOnes(file: string, patterns: readonly RegExp[], known?: Known): string[] {
  const distinct = new Map(patterns.map((pattern) => [String(pattern), pattern]));
  return [...distinct.values()].flatMap(({ source, flags }) => {
    const fault = faultOf(source, flags, known);
    return fault === undefined ? [] : [`${file}: builds /${source}/${flags}, which ${fault}`];
  });
}

// In this process: its default starts another one.
process.env.RECHECK_SYNC_BACKEND = 'pure';

/** Seeded, so that it always tries the same texts; repetitions like {1,64} are few enough to be proved. */
const settings = { randomSeed: 1, maxRepeatCount: 300, timeout: 60_000 };

/**
 * Undefined for a pattern that takes linear time. Where the checker cannot prove it, for look-ahead and
 * back-references, it tries texts.
 */
function faultOf(source: string, flags: string, known?: Known): string | undefined {
  const key = keyOf(recheck.version, JSON.stringify(settings), source, flags);
  if (known?.has(key)) return undefined;
  const verdict = checkSync(source, flags, settings);
  if (verdict.status === 'safe') {
    known?.add(key);
    return undefined;
  }
  if (verdict.status === 'vulnerable') return `takes ${verdict.complexity.summary} time`;
  return `cannot be judged (${verdict.error.kind})`;
}
