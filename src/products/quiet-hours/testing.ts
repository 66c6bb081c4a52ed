/** Quiet hours for the tests of rules. */
import type { Quiet } from './departure.ts';

/** There are none. */
export const neverQuiet: Quiet = { find: () => undefined, validitySeconds: 3_600 };
