/** Writes, or checks with --check, every file that is generated from the documents: `npm run generate`. */
import { runAll } from './programs.ts';

const names = ['openapi', 'management', 'sandbox'];
const checked = [
  // All others read the bundles.
  ...names.map((name) => ['tools/write-bundle.ts', `generated/${name}.yaml`]),
  ...names.map((name) => ['tools/write-types.ts', `generated/${name}.d.ts`]),
  ['tools/write-handlers.ts'],
  ['tools/write-connector-settings.ts'],
  ['tools/write-asyncapi.ts'],
  ['clients/write.ts'],
];
const check = process.argv[2] === '--check';

runAll(check ? checked.map((words) => [...words, '--check']) : [...checked, ['clients/postman/write.ts']]);
