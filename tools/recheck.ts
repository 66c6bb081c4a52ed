/** The checker of patterns and its version, for patterns/, which does not find the packages of this folder. */
import recheck from 'recheck/package.json' with { type: 'json' };

export { checkSync } from 'recheck';
export const { version } = recheck;
