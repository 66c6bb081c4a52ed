/** Writes dist/openapi.d.ts, the types of the document, with the known values of extensible enums; a part of the build. */
import { writeFileSync } from 'node:fs';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import ts from 'typescript';

/** `string & {}`: beside a plain `string` the compiler would forget the values that the document names. */
const anyString = ts.factory.createIntersectionTypeNode([
  ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
  ts.factory.createTypeLiteralNode([]),
]);

const types = await openapiTS(new URL('../../spec/openapi.yaml', import.meta.url), {
  emptyObjectsUnknown: true,
  transform: (_schema, { path }) => (path?.endsWith('/schemas/UnknownValue') ? anyString : undefined),
});
writeFileSync(new URL('dist/openapi.d.ts', import.meta.url), COMMENT_HEADER + astToString(types));
