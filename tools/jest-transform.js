/** Takes the types out of what Jest runs, as Node does and as fast as swc: each line and column stays where it is. */
import { stripTypeScriptTypes } from 'node:module';

export default { process: (source) => ({ code: stripTypeScriptTypes(source) }) };
