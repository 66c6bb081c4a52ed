/** Writes generated/tarishi.postman_collection.json from the document; a part of `npm run generate`. */
import { writeFileSync } from 'node:fs';
import { createCollection } from './collection.ts';

writeFileSync(
  new URL('../../generated/tarishi.postman_collection.json', import.meta.url),
  `${JSON.stringify(createCollection(), undefined, 2)}\n`,
);
