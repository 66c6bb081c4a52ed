/** Writes, or checks with --check, all that the clients have from the OpenAPI document: node clients/write.ts */
import { readFileSync, writeFileSync } from 'node:fs';
import { files as go } from './go/template.ts';
import { files as php } from './php/template.ts';
import { files as python } from './python/template.ts';
import { files as typescript } from './typescript/template.ts';

const files = { ...go, ...php, ...python, ...typescript };
for (const [name, text] of Object.entries(files)) {
  const file = new URL(name, import.meta.url);
  if (process.argv[2] !== '--check') writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`clients/${name} is not what the document says: npm run generate\n`);
    process.exitCode = 1;
  }
}
