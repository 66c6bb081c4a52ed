/** Starts the longest tests first: one that runs alone at the end leaves the other cores idle. */
import Sequencer from '@jest/test-sequencer';

/** Jest orders by the durations of the previous run. A clean clone has none, so it orders by file size. */
const longest = [
  'contract-tests/faults/table',
  'contract-tests/docs/recipes',
  'contract-tests/docs/conform',
  'contract-tests/processes/teams/operating',
  'contract-tests/processes/networks/ported-numbers',
  'tools/release/release',
].map((name) => `/${name}.slow.test.ts`);

export default class LongestFirst extends Sequencer {
  sort(tests) {
    const placeOf = ({ path }) => longest.findIndex((name) => path.endsWith(name));
    const first = tests.filter((test) => placeOf(test) !== -1).sort((a, b) => placeOf(a) - placeOf(b));
    return [...first, ...super.sort(tests.filter((test) => placeOf(test) === -1))];
  }
}
