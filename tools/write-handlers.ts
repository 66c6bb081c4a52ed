/**
 * Writes the tables of handlers by operation, generated/handlers.ts of the public API and generated/management-handlers.ts.
 * Usage: `node tools/write-handlers.ts [--check]`.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { type DocumentName, loadDocument } from '../src/contract/document.ts';
import { operationsOf } from '../src/contract/operations.ts';

const root = new URL('..', import.meta.url);
const check = process.argv[2] === '--check';

interface Table {
  document: DocumentName;
  /** Where the handlers are. */
  folder: string;
  imports: string;
  type: string;
}

write('generated/handlers.ts', {
  document: 'openapi',
  folder: 'handlers',
  imports: `import type { Service } from '../handlers/service.ts';
import type { ClientDocument, ContextHandlers } from '../src/http/contract/operation.ts';
`,
  type: 'ContextHandlers<Service, ClientDocument>',
});
write('generated/management-handlers.ts', {
  document: 'management',
  folder: 'handlers/management',
  imports: `import type { ManagementHandlers } from '../handlers/management/operation.ts';\n`,
  type: 'ManagementHandlers',
});

function write(file: string, table: Table): void {
  const place = new URL(file, root);
  const text = textOf(table);
  if (!check) writeFileSync(place, text);
  else if (readFileSync(place, 'utf8') !== text) {
    process.stderr.write(`${file} is not what ${table.document}.yaml says: npm run generate\n`);
    process.exitCode = 1;
  }
}

/** An operation that no file exports is missing in the table, which does not compile then. */
function textOf({ document, folder, imports, type }: Table): string {
  const operations = operationsOf(loadDocument(document).published).map(({ operationId }) => operationId);
  const files = globSync(`${folder}/*.ts`, { cwd: root })
    .filter((file) => !/(\.test|-testing|testing)\.ts$/.test(file))
    .sort();
  const lines: string[] = [];
  const found = new Set<string>();
  for (const file of files) {
    const exported = readFileSync(new URL(file, root), 'utf8').matchAll(/^export const (\w+)/gm);
    const names = [...exported].map(([, name = '']) => name).filter((name) => operations.includes(name));
    for (const name of names) found.add(name);
    if (names.length > 0) lines.push(`import { ${names.join(', ')} } from '../${file}';\n`);
  }
  return `// Written by npm run generate: every operation of ${document}.yaml, and its handler in ${folder}/.
${lines.join('')}
${imports}
export const handlers: ${type} = {
${operations
  .filter((name) => found.has(name))
  .map((name) => `  ${name},\n`)
  .join('')}};
`;
}
