/** Finds every regular expression of a TypeScript or JavaScript file, from its syntax tree. */
import ts from 'typescript';
import type { BuiltPattern, Pattern } from './pattern.ts';

export interface Extracted {
  patterns: Pattern[];
  /** Calls of RegExp whose pattern depends on other files. */
  built: BuiltPattern[];
}

/** Literals, calls of RegExp, and the `pattern` of JSON Schemas that are written as code. */
export function extractPatterns(file: string, text: string): Extracted {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const constants = constantsOf(tree);
  const extracted: Extracted = { patterns: [], built: [] };
  const add = (node: ts.Node, source: string | undefined, flags: string | undefined) => {
    const place = { file, line: tree.getLineAndCharacterOfPosition(node.getStart()).line + 1 };
    if (source === undefined || flags === undefined) extracted.built.push(place);
    else extracted.patterns.push({ ...place, source, flags });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      add(node, node.text.slice(1, end), node.text.slice(end + 1));
    } else if (isRegExpCall(node)) {
      const [source, flags] = node.arguments ?? [];
      add(node, textOf(source, constants), flags === undefined ? '' : textOf(flags, constants));
    } else if (ts.isPropertyAssignment(node) && node.name.getText() === 'pattern') {
      const source = textOf(node.initializer, constants);
      // Ajv compiles patterns with this flag.
      if (source !== undefined) add(node, source, 'u');
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return extracted;
}

function isRegExpCall(node: ts.Node): node is ts.NewExpression | ts.CallExpression {
  return (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp';
}

type Constants = ReadonlyMap<string, ts.Expression>;

/** By name, wherever they are declared in the file; names that are declared twice are ignored. */
function constantsOf(tree: ts.SourceFile): Constants {
  const constants = new Map<string, ts.Expression>();
  const ambiguous = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined) {
      if (constants.has(node.name.text)) ambiguous.add(node.name.text);
      constants.set(node.name.text, node.initializer);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  for (const name of ambiguous) constants.delete(name);
  return constants;
}

/** The text that an expression of literals, templates, sums and constants has; undefined for any other. */
function textOf(node: ts.Expression | undefined, constants: Constants): string | undefined {
  if (node === undefined) return undefined;
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isIdentifier(node)) return textOf(constants.get(node.text), constants);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return joined([textOf(node.left, constants), textOf(node.right, constants)]);
  if (!ts.isTemplateExpression(node)) return undefined;
  const spans = node.templateSpans.flatMap(({ expression, literal }) => [
    textOf(expression, constants),
    literal.text,
  ]);
  return joined([node.head.text, ...spans]);
}

function joined(texts: readonly (string | undefined)[]): string | undefined {
  return texts.some((text) => text === undefined) ? undefined : texts.join('');
}
