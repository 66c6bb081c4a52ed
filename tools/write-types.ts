/** Writes the types of generated/NAME.yaml, with the known values of extensible enums. Usage: `node tools/write-types.ts generated/NAME.d.ts [--check]`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import ts from 'typescript';

/** `string & {}`: beside a plain `string` the compiler would forget the values that the document names. */
const anyString = ts.factory.createIntersectionTypeNode([
  ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
  ts.factory.createTypeLiteralNode([]),
]);

const [file, option] = process.argv.slice(2);
if (file === undefined) throw new Error('which file?');
const nodes = await openapiTS(new URL(`../generated/${basename(file, '.d.ts')}.yaml`, import.meta.url), {
  emptyObjectsUnknown: true,
  transform: (_schema, { path }) => (path?.endsWith('/schemas/UnknownValue') ? anyString : undefined),
});
const types = COMMENT_HEADER + astToString(nodes);
if (option !== '--check') writeFileSync(file, types);
else if (readFileSync(file, 'utf8') !== types) {
  process.stderr.write(`${file} is not what the document says: npm run generate\n`);
  process.exitCode = 1;
}
