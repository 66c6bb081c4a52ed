/** Writes down the methods of the Python client, for threads and for asyncio, and the table of its operations. */
import { resolved } from '../document.ts';
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
import { answerTypeOf, argumentTypeOf, responses, typeOf, within } from './types.ts';

/** What the two clients write differently. */
interface Style {
  /** Of the other files of the package. */
  from: string;
  caller: string;
  imports: string;
  async: string;
  await: string;
  iterator: string;
}

const threads: Style = {
  from: '.',
  caller: 'Caller',
  imports: 'from .caller import Caller, Instant',
  async: '',
  await: '',
  iterator: 'Iterator',
};
const asyncio: Style = {
  from: '..',
  caller: 'AsyncCaller',
  imports: 'from ..caller import Instant\nfrom .caller import AsyncCaller',
  async: 'async ',
  await: 'await ',
  iterator: 'AsyncIterator',
};

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
/** `from` is a word of the language. */
const nameOf = (one: Argument) => (one.name === 'from' ? 'from_' : snake(one.name));

const settingNames = (method: Method) => settingsOf(method).map(snake);

/** A send has many arguments, each with its name; others take an id without. */
function signatureOf(method: Method, isEach: boolean): string[] {
  const { id, composed } = method;
  const written = argumentsOf(method, isEach).map((one) => {
    const type = argumentTypeOf(one.type);
    return { one, text: `${nameOf(one)}: ${one.isRequired ? type : `Optional[${type}] = None`}` };
  });
  const isPlain = ({ one }: { one: Argument }) => one === id && composed === undefined;
  const settings = settingNames(method).map(
    (name) => `${name}: Optional[${name === 'timeout' ? 'float' : 'str'}] = None`,
  );
  const named = [...written.filter((one) => !isPlain(one)).map(({ text }) => text), ...settings];
  const plain = written.filter(isPlain).map(({ text }) => text);
  return ['self', ...plain, ...(named.length === 0 ? [] : ['*', ...named])];
}

function docOf(method: Method): string {
  const said = (text: string, itself?: Argument) => renamed(text, method, snake, itself);
  const part = (title: string, entries: readonly string[]) =>
    entries.length === 0
      ? []
      : [[`${title}:`, ...entries.map((one) => inLines(one, ' '.repeat(16)))].join(`\n${' '.repeat(12)}`)];
  const about = method.item === undefined ? method.doc : [...method.doc, pageDoc];
  const parts = [
    ...about.map((one) => inLines(said(one), ' '.repeat(8))),
    ...part(
      'Args',
      argumentsOf(method).map((one) => `${nameOf(one)}: ${said(one.description, one)}`),
    ),
    ...part(
      'Raises',
      method.errors.map((one) => `TarishiError: ${one}`),
    ),
  ];
  return parts.length === 1 ? `"""${parts}"""` : `"""${parts.join('\n\n        ')}\n        """`;
}

function dictionary(name: string, all: readonly Argument[] = []): string {
  const pairs = all.map((one) => `"${one.wire}": ${nameOf(one)}`);
  return all.length === 0 ? '' : `${broken(' '.repeat(8), `${name} = {`, pairs, '}')}\n`;
}

/** How a method calls its operation. */
function callOf(method: Method, call: string, all: readonly Argument[]): string {
  const { operationId, id, query, body, composed, group } = method;
  const composition = composed?.map((one) => `${nameOf(one)}=${nameOf(one)}`) ?? [];
  const words = [
    `"${operationId}"`,
    ...(id === undefined ? [] : [`path={"${id.wire}": ${nameOf(id)}}`]),
    ...(query.length === 0 ? [] : ['query=query']),
    ...(body === undefined && composed === undefined ? [] : ['body=body']),
    ...settingNames(method).map((name) => `${name}=${name}`),
  ];
  return [
    dictionary(
      'query',
      query.filter((one) => all.includes(one)),
    ),
    dictionary('body', body),
    composed === undefined ? '' : `${broken(' '.repeat(8), `body = ${group}_body(`, composition, ')')}\n`,
    broken(' '.repeat(8), call, words, ')'),
  ].join('');
}

function methodText(method: Method, style: Style): string {
  const { name, answer, part } = method;
  const whole = answerTypeOf(method);
  const type = within(
    part === undefined ? whole : typeOf(resolved(answer).properties?.[part] ?? {}, `${whole}Result`),
  );
  const call = callOf(method, `answer = ${style.await}self._caller.call(`, argumentsOf(method));
  return `${broken('    ', `${style.async}def ${snake(name)}(`, signatureOf(method, false), `) -> ${type}:`)}
        ${docOf(method)}
${call}
        return cast(${type}, answer${part === undefined ? '' : `["${part}"]`})
${method.item === undefined ? '' : `\n${eachText(method, style)}`}`;
}

function eachText(method: Method, style: Style): string {
  const type = `${style.iterator}[${within(typeOf(method.item ?? {}, `${method.operationId}Item`))}]`;
  const doc = `Like \`${snake(method.name)}\`, but iterates over all pages and fetches each one as it is needed; \`limit\` is the page size.`;
  return `${broken('    ', `def ${snake(method.each)}(`, signatureOf(method, true), `) -> ${type}:`)}
        """${inLines(doc, ' '.repeat(8))}"""
${callOf(method, 'return self._caller.each(', argumentsOf(method, true))}
`;
}

function groupText({ title, doc, methods: own }: Group, style: Style): string {
  return `class ${title}:
    """${inLines(doc, '    ')}"""

    def __init__(self, caller: ${style.caller}) -> None:
        self._caller = caller

${own.map((one) => methodText(one, style)).join('\n')}`;
}

/** What bodies.py has by hand. */
const composed = methods.flatMap((one) => one.composed?.map(({ type }) => argumentTypeOf(type)) ?? []);
const names = composed.flatMap((type) => /^To$|(?<=^Iterable\[)\w+(?=\]$)/.exec(type) ?? []);
const functions = methods.filter((one) => one.composed !== undefined).map(({ group }) => `${group}_body`);
const bodies = [...new Set([...names.toSorted(), ...functions.toSorted()])];

const methodsText = (
  style: Style,
) => `"""The methods of the client, as the OpenAPI document says: written by npm run generate.

Times are datetimes, or RFC 3339 text such as \`2026-11-22T06:00:00Z\`. Without \`send_at\` it is sent at once.
"""

from __future__ import annotations

from typing import ${style.iterator}, Iterable, Literal, Mapping, Optional, Sequence, cast

from ${style.from} import responses
from ${style.from === '.' ? '.' : '..'}bodies import ${bodies.join(', ')}
${style.imports}


${groups.map((one) => groupText(one, style)).join('\n\n')}

class Methods:
    """What a client has, by theme."""

    def __init__(self, caller: ${style.caller}) -> None:
        #: Calls any operation of the OpenAPI document by its \`operationId\`.
        self.call = caller.call
${groups.map(({ name, title }) => `        self.${snake(name)} = ${title}(caller)\n`).join('')}`;

const routes = `"""The operations of the API, as the OpenAPI document says: written by npm run generate."""

#: Method, path, and whether a retry is safe. \`keyed\`: yes, with the same Idempotency-Key; \`harmless\`: yes, a second call
#: changes nothing; \`unsafe\`: no, it would take effect again; \`file\`: yes, and the response is a file.
ROUTES: dict[str, tuple[str, str, str]] = {
${methods.map((one) => `    "${one.operationId}": ("${one.http}", "${one.path}", "${one.retry}"),\n`).join('')}}
`;

export const files: Readonly<Record<string, string>> = {
  'python/src/tarishi/responses.py': responses,
  'python/src/tarishi/routes.py': routes,
  'python/src/tarishi/methods.py': methodsText(threads),
  'python/src/tarishi/aio/methods.py': methodsText(asyncio),
};
