/** Writes generated/asyncapi.yaml, the contract of the receipts alone, from the webhooks of openapi.yaml. Usage: `node tools/write-asyncapi.ts [--check]`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dump } from 'js-yaml';
import { loadDocument } from '../src/contract/document.ts';
import { asyncApiOf } from './asyncapi.ts';

const file = new URL('../generated/asyncapi.yaml', import.meta.url);
const text = `# Written from openapi.yaml by npm run generate.\n${dump(asyncApiOf(loadDocument().published), { noRefs: true, lineWidth: 118 })}`;
if (process.argv[2] !== '--check') writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) {
  process.stderr.write('generated/asyncapi.yaml is not what openapi.yaml says: npm run generate\n');
  process.exitCode = 1;
}
