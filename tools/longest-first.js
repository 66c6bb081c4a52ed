/** Starts the tests first that take longest: alone at the end, each would leave the other cores idle. */
import Sequencer from '@jest/test-sequencer';

/** Jest knows only what a run before has taken, which a clean clone has not seen, and goes by the size of files. */
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
    const place = ({ path }) => longest.findIndex((name) => path.endsWith(name)) >>> 0;
    return super.sort(tests).sort((a, b) => place(a) - place(b));
  }
}
