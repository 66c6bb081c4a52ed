/** Writes a JSON value as a literal of a language, on one line where it fits. */
import type { Json } from './call.ts';

export interface Syntax {
  object: readonly [open: string, close: string];
  array: readonly [open: string, close: string];
  /** What stands before the value of a property. */
  key: (name: string) => string;
  text: (value: string) => string;
  constants: Readonly<Record<'true' | 'false' | 'null', string>>;
  indent: string;
  /** Inside the brackets of an object on one line, if the language's style wants it. */
  space: '' | ' ';
  /** After the last element of several lines. */
  lastComma: '' | ',';
}

const jsonText = (value: string) => JSON.stringify(value);
const sameConstants = { true: 'true', false: 'false', null: 'null' };

export const jsonSyntax: Syntax = {
  object: ['{', '}'],
  array: ['[', ']'],
  key: (name) => `${jsonText(name)}: `,
  text: jsonText,
  constants: sameConstants,
  indent: '  ',
  space: '',
  lastComma: '',
};

const single = (value: string) => `'${value.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;

export const typescriptSyntax: Syntax = {
  ...jsonSyntax,
  key: (name) => `${/^\w+$/.test(name) ? name : single(name)}: `,
  text: single,
  space: ' ',
  lastComma: ',',
};

export const pythonSyntax: Syntax = {
  ...jsonSyntax,
  constants: { true: 'True', false: 'False', null: 'None' },
  indent: '    ',
  lastComma: ',',
};

export const phpSyntax: Syntax = {
  ...jsonSyntax,
  object: ['[', ']'],
  key: (name) => `${single(name)} => `,
  text: single,
  indent: '    ',
  lastComma: ',',
};

const widest = 84;

/** `depth`: how deep the line is indented that the literal begins on. */
export function literal(value: Json, syntax: Syntax, depth = 0): string {
  if (typeof value === 'string') return syntax.text(value);
  if (value === null || typeof value === 'boolean') return syntax.constants[`${value}`];
  if (typeof value === 'number') return String(value);
  const isArray = Array.isArray(value);
  const [open, close] = isArray ? syntax.array : syntax.object;
  const elements = (inner: number) =>
    isArray
      ? value.map((one) => literal(one, syntax, inner))
      : Object.entries(value).map(([name, one]) => `${syntax.key(name)}${literal(one, syntax, inner)}`);
  const space = isArray ? '' : syntax.space;
  const line = `${open}${space}${elements(depth).join(', ')}${space}${close}`;
  if (!line.includes('\n') && line.length + depth * syntax.indent.length <= widest && depth > 0) return line;
  const indent = syntax.indent.repeat(depth + 1);
  const lines = elements(depth + 1).map((one) => `${indent}${one}`);
  return `${open}\n${lines.join(',\n')}${syntax.lastComma}\n${syntax.indent.repeat(depth)}${close}`;
}
