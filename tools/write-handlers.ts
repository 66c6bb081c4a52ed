/** Writes generated/handlers.ts, the table of the public API's handlers by operation. Usage: `node tools/write-handlers.ts [--check]`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { readDocument } from '../spec/read.ts';

const { paths } = readDocument('openapi') as {
  paths: Record<string, Record<string, { operationId: string }>>;
};
const operations = Object.values(paths)
  .flatMap((item) => Object.values(item))
  .map(({ operationId }) => operationId);
const text = `// Written by npm run generate: every operation of openapi.yaml, and its handler in handlers/.
${operations.map((name) => `import { ${name} } from '../handlers/${name}.ts';\n`).join('')}
import type { Service } from '../handlers/service.ts';
import type { ClientDocument, ContextHandlers } from '../src/http/contract/operation.ts';

export const handlers: ContextHandlers<Service, ClientDocument> = {
${operations.map((name) => `  ${name},\n`).join('')}};
`;
const file = new URL('../generated/handlers.ts', import.meta.url);
if (process.argv[2] !== '--check') writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) {
  process.stderr.write('generated/handlers.ts is not what openapi.yaml says: npm run generate\n');
  process.exitCode = 1;
}
