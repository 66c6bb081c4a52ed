/** Writes generated/tarishi.postman_collection.json from the document; a part of `npm run generate`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { createCollection } from './collection.ts';

const document = parse(readFileSync(new URL('../../spec/openapi.yaml', import.meta.url), 'utf8'));
writeFileSync(
  new URL('../../generated/tarishi.postman_collection.json', import.meta.url),
  `${JSON.stringify(createCollection(document), undefined, 2)}\n`,
);
