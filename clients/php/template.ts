/** Writes down the classes of the PHP client that have its methods, the shapes of arrays, and the table of its operations. */
import { posted, resolved } from '../document.ts';
import { broken, inLines } from '../lines.ts';
import {
  type Argument,
  argumentsOf,
  type Group,
  groups,
  type Method,
  methods,
  pageDoc,
  renamed,
  settingsOf,
} from '../methods.ts';
import { argumentTypeOf, shapeOf, shapesIn, shapesText } from './types.ts';

const indent = ' '.repeat(4);

const optional = (type: string) => (type.includes('|') ? `${type}|null` : `?${type}`);

function signatureOf(method: Method, isEach: boolean): string[] {
  const written = argumentsOf(method, isEach).map((one) => {
    const { type } = argumentTypeOf(one.type);
    return one.isRequired ? `${type} $${one.name}` : `${optional(type)} $${one.name} = null`;
  });
  const settings = settingsOf(method).map(
    (name) => `${name === 'timeout' ? '?float' : '?string'} $${name} = null`,
  );
  return [...written, ...settings];
}

/** The brace stands on a line of its own, unless the arguments do. */
function head(name: string, signature: readonly string[], type: string): string {
  const text = broken(indent, `public function ${name}(`, signature, `): ${type}`);
  return text.includes('\n') ? `${text} {\n` : `${text}\n${indent}{\n`;
}

function documentation(paragraphs: readonly string[], tags: readonly string[]): string {
  const line = `\n${indent} * `;
  const written = [
    paragraphs.map((one) => inLines(one, `${indent} * `)).join(`\n${indent} *${line}`),
    tags.map((one) => inLines(one, `${indent} *     `)).join(line),
  ];
  return `${indent}/**${line}${written.join(`\n${indent} *${line}`)}\n${indent} */\n`;
}

function docOf(method: Method, returned: string): string {
  const names = new Set(argumentsOf(method).map(({ name }) => name));
  const rename = (name: string) => (names.has(name) ? `$${name}` : name);
  const parameters = argumentsOf(method).map((one) => {
    const shape = `${argumentTypeOf(one.type).shape}${one.isRequired ? '' : '|null'}`;
    return `@param ${shape} $${one.name} ${renamed(one.description, method, rename, one)}`;
  });
  const thrown = method.errors.length === 0 ? [''] : method.errors;
  return documentation(
    [...method.doc, ...(method.item === undefined ? [] : [pageDoc])].map((one) =>
      renamed(one, method, rename),
    ),
    [...parameters, `@return ${returned}`, ...thrown.map((one) => `@throws TarishiException ${one}`)],
  );
}

const dictionary = (all: readonly Argument[]) =>
  all.every((one) => one.name === one.wire)
    ? `compact(${all.map((one) => `'${one.name}'`).join(', ')})`
    : `[${all.map((one) => `'${one.wire}' => $${one.name}`).join(', ')}]`;

/** How a method calls its operation. */
function callOf(method: Method, call: string, all: readonly Argument[], after: string): string {
  const { operationId, id, body, composed, group } = method;
  const query = method.query.filter((one) => all.includes(one));
  const words = [
    `'${operationId}'`,
    ...(id === undefined ? [] : [`path: ${dictionary([id])}`]),
    ...(query.length === 0 ? [] : [`query: ${dictionary(query)}`]),
    ...(body === undefined ? [] : [`body: ${dictionary(body)}`]),
    ...(composed === undefined ? [] : ['body: $body']),
    ...settingsOf(method).map((name) => `${name}: $${name}`),
  ];
  const parts = composed?.map((one) => `${one.name}: $${one.name}`);
  const before = parts && `${broken(indent.repeat(2), `$body = Body::${group}(`, parts, ');')}\n`;
  return `${before ?? ''}${broken(indent.repeat(2), `return $this->caller->${call}(`, words, after)}\n`;
}

function methodText(method: Method): string {
  const { name, answer, part, retry } = method;
  const isFile = retry === 'file';
  const whole = part === undefined ? answer : (resolved(answer).properties?.[part] ?? {});
  // A shape without a name stands on one line.
  const returned = shapeOf(whole)
    .replaceAll(/,?\n \* {0,8}(?=\})/g, '')
    .replaceAll(/\n \* +/g, ' ')
    .replaceAll('{ ', '{');
  const after = part === undefined ? ');' : `)['${part}'];`;
  const text = [
    docOf(method, returned),
    head(name, signatureOf(method, false), isFile ? 'string' : 'array'),
    callOf(method, isFile ? 'file' : 'call', argumentsOf(method), after),
    `${indent}}\n`,
  ].join('');
  return method.item === undefined ? text : `${text}\n${eachText(method, method.item)}`;
}

function eachText(method: Method, item: NonNullable<Method['item']>): string {
  const doc = `Like \`${method.name}\`, but iterates over all pages and fetches each one as it is needed; \`$limit\` is the page size.`;
  return [
    documentation([doc], [`@return \\Generator<int, ${shapeOf(item)}>`, '@throws TarishiException']),
    head(method.each, signatureOf(method, true), '\\Generator'),
    callOf(method, 'each', argumentsOf(method, true), ');'),
    `${indent}}\n`,
  ].join('');
}

/** Body has these by hand. */
const composed = new Set(
  methods.flatMap((one) => one.composed?.map(({ type }) => /^(\w+)\[\]$/.exec(`${type}`)?.[1] ?? '') ?? []),
);

/** The shapes that a class names, from where they are. */
function imports(text: string): string[] {
  const named = (text.match(/@(?:param|return) [^$\n]*/g) ?? []).join(' ');
  const known = shapesIn(named);
  const own = (named.match(/\w+/g) ?? []).filter((name) => composed.has(name) && !known.includes(name));
  return [
    ...[...new Set(own)].toSorted().map((name) => `@phpstan-import-type ${name} from Body`),
    ...[...new Set(known)].toSorted().map((name) => `@phpstan-import-type ${name} from Types`),
  ];
}

function groupText({ title, doc, methods: own }: Group): string {
  const text = own.map(methodText).join('\n');
  return file(
    '',
    'use Tarishi\\Http\\Caller;\n\n',
    [inLines(doc, ' * '), '', ...imports(text)],
    `final class ${title}
{
    public function __construct(private readonly Caller $caller)
    {
    }

${text}}
`,
  );
}

/** A file with one class. */
function file(folder: string, uses: string, doc: readonly string[], text: string): string {
  const comment = doc.map((line) => ` *${line === '' ? '' : ` ${line}`}\n`).join('');
  return `<?php

// Written by npm run generate, from the OpenAPI document.

declare(strict_types=1);

namespace Tarishi${folder};

${uses}/**
${comment} */
${text}`;
}

const all = file(
  '',
  'use Tarishi\\Http\\Caller;\n\n',
  ['What a client has, by theme.'],
  `class Methods
{
${groups.map(({ name, title }) => `    public readonly ${title} $${name};\n`).join('')}
    protected function __construct(Caller $caller)
    {
${groups.map(({ name, title }) => `        $this->${name} = new ${title}($caller);\n`).join('')}    }
}
`,
);

const routes = file(
  '\\Http',
  '',
  [
    'The operations of the API: method, path, and whether a retry is safe. `keyed`: yes, with the same Idempotency-Key;',
    '`harmless`: yes, a second call changes nothing; `unsafe`: no, it would take effect again; `file`: yes, and the response',
    'is a file.',
  ],
  `final class Routes
{
    public const ALL = [
${methods.map((one) => `        '${one.operationId}' => ['${one.http}', '${one.path}', '${one.retry}'],\n`).join('')}    ];
}
`,
);

const classes = Object.fromEntries(groups.map((one) => [`php/src/${one.title}.php`, groupText(one)]));
const shapes = posted.map((name) => shapeOf({ $ref: name }));
const types = file(
  '',
  '',
  [
    'The shapes of what the service takes, returns and posts, for PHPStan, Psalm and editors. Responses and receipts may',
    'gain keys and values: ignore what you do not know.',
    '',
    ...shapesText()
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/^ \* ?/, '')),
    '',
    `Posted: what is posted to a callback URL.`,
    '',
    `@phpstan-type Posted ${shapes.join('|')}`,
  ],
  'final class Types\n{\n}\n',
);

export const files: Readonly<Record<string, string>> = {
  ...classes,
  'php/src/Methods.php': all,
  'php/src/Http/Routes.php': routes,
  'php/src/Types.php': types,
};
