/** Finds look-ups of any word in plain objects: `constructor` and `__proto__` are in each of them. */
import ts from 'typescript';

/** The places, with their lines, where a text that may be any word selects a property to be read, or is sought by `in`. */
export function findLookups(program: ts.Program, isChecked: (file: string) => boolean): string[] {
  const checker = program.getTypeChecker();
  return program
    .getSourceFiles()
    .filter(({ fileName }) => isChecked(fileName))
    .flatMap((source) => lookupsIn(source, checker));
}

/** Of the service, without its tests; the files are relative to the root of the project. */
export function projectLookups(root: string): string[] {
  const host = {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }: ts.Diagnostic) => {
      throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
    },
  };
  const config = ts.getParsedCommandLineOfConfigFile(`${root}/tsconfig.json`, {}, host);
  if (config === undefined) throw new Error('tsconfig.json cannot be read');
  const isChecked = (file: string) =>
    /^(src|handlers)\//.test(file.slice(root.length + 1)) && !/(\.test|\btesting)\.ts$/.test(file);
  const program = ts.createProgram(config.fileNames.filter(isChecked), config.options);
  return findLookups(program, (file) => file.startsWith(root) && isChecked(file)).map((place) =>
    place.slice(root.length + 1),
  );
}

/** The one function that looks at what the object itself has. */
const allowed = '/src/platform/text/own.ts';

function lookupsIn(source: ts.SourceFile, checker: ts.TypeChecker): string[] {
  if (source.fileName.endsWith(allowed)) return [];
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const lookup = lookupOf(node);
    if (lookup !== undefined && isAnyWord(checker, lookup.word) && isPlain(checker, lookup.object)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      const fault = `${node.getText()} looks any word up in a plain object: use own() of src/platform/text/own.ts, or a Map`;
      found.push(`${source.fileName}:${line + 1}: ${fault}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function lookupOf(node: ts.Node): { object: ts.Node; word: ts.Expression } | undefined {
  if (ts.isElementAccessExpression(node))
    return isWritten(node) ? undefined : { object: node.expression, word: node.argumentExpression };
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InKeyword)
    return { object: node.right, word: node.left };
  if (
    ts.isBindingElement(node) &&
    node.propertyName !== undefined &&
    ts.isComputedPropertyName(node.propertyName)
  )
    return { object: node.parent, word: node.propertyName.expression };
  return undefined;
}

/** Only: `+=` reads as well. */
function isWritten(node: ts.Expression): boolean {
  const { parent } = node;
  if (ts.isDeleteExpression(parent)) return true;
  return (
    ts.isBinaryExpression(parent) &&
    parent.left === node &&
    parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
  );
}

/** Not a number, a symbol, or one of the words that its type lists. */
function isAnyWord(checker: ts.TypeChecker, word: ts.Expression): boolean {
  const type = checker.getTypeAtLocation(word);
  const parts = type.isUnion() ? type.types : [type];
  return parts.some(({ flags }) => (flags & (ts.TypeFlags.String | ts.TypeFlags.Any)) !== 0);
}

function isPlain(checker: ts.TypeChecker, object: ts.Node): boolean {
  const type = checker.getNonNullableType(checker.getTypeAtLocation(object));
  if ((type.flags & ts.TypeFlags.Any) !== 0) return true;
  return !checker.isArrayLikeType(type) && (type.flags & ts.TypeFlags.StringLike) === 0;
}
