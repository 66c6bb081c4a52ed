/** Writes down the methods of the Go client, its types, and the table of its operations. */

import { nameOfReference } from '../../src/contract/references.ts';
import { posted, resolved, type Schema, schemaNamed } from '../document.ts';
import { inLines } from '../lines.ts';
import { type Argument, argumentsOf, type Group, groups, type Method, methods, renamed } from '../methods.ts';
import {
  aligned,
  argumentTypeOf,
  fieldsOf,
  goName,
  named,
  parametersOf,
  privateName,
  queryOf,
  typeOf,
  written,
} from './types.ts';

/** A comment on what has the name, in paragraphs. */
function comment(name: string, paragraphs: readonly string[]): string {
  const [first = '', ...others] = paragraphs;
  // A word all in capitals stays as it is.
  const start = `${name}: ${first.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase())}`;
  return [start, ...others].map((one) => `// ${inLines(one, '// ')}\n`).join('//\n');
}

/** What a method returns. */
function answerOf({ answer, part, operationId }: Method): string {
  const name = answer.$ref === undefined ? `${operationId}Response` : nameOfReference(answer);
  if (part !== undefined) return typeOf(resolved(answer).properties?.[part] ?? {}, name);
  return typeOf(answer, name);
}

const itemOf = (item: Schema, { operationId }: Method) => typeOf(item, operationId);

interface Parts {
  /** Beside the context and the options. */
  parameters: string[];
  /** Of the request. */
  fields: string[];
}

/** How a method takes its arguments: an id and single values by themselves, others in a struct. */
function partsOf(method: Method): Parts {
  const { operationId, id, query, body, bodySchema, composed, item, title } = method;
  const operation = `operation: ${privateName(operationId)}`;
  if (composed !== undefined) {
    const fields = [operation, ...(id === undefined ? [] : [`id: what.${goName(id.name)}`]), 'body: what'];
    return { parameters: [`what ${goName(title)}Request`], fields };
  }
  const parts: Parts = { parameters: [], fields: [operation] };
  const add = (parameter: string, field: string) => {
    parts.parameters.push(parameter);
    parts.fields.push(field);
  };
  if (id !== undefined) add(`${privateName(id.name)} string`, `id: ${privateName(id.name)}`);
  if (item !== undefined) add(`params ${parametersOf(method, about(method))}`, 'query: params.query()');
  else if (query.length > 0) {
    const all = query.map((one) => `${privateName(one.name)} ${argumentTypeOf(one)}`);
    add(all.join(', '), `query: ${queryOf(query, (one) => privateName(one.name))}`);
  }
  const [only, ...more] = body ?? [];
  if (only !== undefined && more.length === 0) {
    const name = privateName(only.name);
    add(`${name} ${argumentTypeOf(only)}`, `body: object{"${only.wire}": ${name}}`);
  } else if (body !== undefined)
    add(`what ${typeOf(bodySchema ?? {}, `${operationId}Request`)}`, 'body: what');
  return parts;
}

const about = (method: Method) => (one: Argument) => renamed(one.description, method, goName, one);

/** What stands in no struct is said here. */
function docOf(method: Method): string {
  const { id, query, body = [], composed, item } = method;
  const alone =
    composed === undefined
      ? [...(id ? [id] : []), ...(item ? [] : query), ...(body.length === 1 ? body : [])]
      : [];
  const args = alone.map((one) => `${privateName(one.name)}: ${about(method)(one)}`);
  const statuses = method.errors.map((one) => `//   - ${inLines(one, '//     ')}\n`);
  const failed = statuses.length === 0 ? '' : `//\n// The status of an *Error may be:\n${statuses.join('')}`;
  const text = comment(goName(method.name), [
    ...method.doc.map((one) => renamed(one, method, goName)),
    ...(item === undefined
      ? []
      : ['Returns one page: its Items, and Next if there is more, which is the Cursor of the next page.']),
    ...args,
  ]);
  return `${text}${failed}`;
}

function methodText(method: Method): string {
  const { name, part, item, title, each } = method;
  const { parameters, fields } = partsOf(method);
  const answer = item === undefined ? answerOf(method) : `Page[${itemOf(item, method)}]`;
  const receiver = `func (g *${goName(title)})`;
  const signature = ['ctx context.Context', ...parameters, 'options ...CallOption'].join(', ');
  const request = `\tr := request{${fields.join(', ')}}\n`;
  const [result, call] =
    method.retry === 'file'
      ? ['[]byte', 'fileOf']
      : [`*${answer}`, `${part === undefined ? 'call' : 'sent'}[${answer}]`];
  const one = `${docOf(method)}${receiver} ${goName(name)}(${signature}) (${result}, error) {
${request}	return ${call}(ctx, g.caller, r, options)
}
`;
  if (item === undefined) return one;
  const type = itemOf(item, method);
  const doc = `${goName(each)} iterates over all pages of ${goName(name)} and fetches each page as it is needed. Limit is the page size.`;
  return `${one}
// ${inLines(doc, '// ')}
${receiver} ${goName(each)}(${signature}) *Iterator[${type}] {
${request}	return each[${type}](ctx, g.caller, r, options)
}
`;
}

/** What a send is composed of. */
function requestText({ methods: own }: Group): string {
  const [send] = own;
  if (send?.composed === undefined) return '';
  const name = `${goName(send.title)}Request`;
  const fields = argumentsOf(send);
  return `
// ${name} says what to send to whom: the same to all of To, or to each its own.
type ${name} struct {
${fieldsOf(fields, about(send))}}
`;
}

const groupText = (
  group: Group,
) => `${comment(goName(group.title), [group.doc])}type ${goName(group.title)} struct{ caller *caller }
${requestText(group)}
${group.methods.map(methodText).join('\n')}`;

const opening =
  '// Code generated by npm run generate from the OpenAPI document. DO NOT EDIT.\n\npackage tarishi\n';
const groupTexts = groups.map(groupText);

const made = aligned(groups.map(({ title }) => [`${goName(title)}:`, `&${goName(title)}{c},`])).map(
  (line) => `\t${line}`,
);

const methodsText = `${opening}
import (
	"context"
	"time"
)

// Client calls the service. It gets tokens, retries what is safe to retry, and returns an *Error for each response
// that is not a success. Make one and share it, between goroutines as well: its calls share a token.
type Client struct {
${aligned(groups.map(({ title }) => [goName(title), `*${goName(title)}`])).join('\n')}
}

func newClient(c *caller) *Client {
	return &Client{
${made.join('\n')}
	}
}

${groupTexts.join('\n')}`;

named('ChatAppParameter');
for (const name of posted) {
  const type = named(name);
  written.set(type, `${written.get(type)}\nfunc (*${type}) posted() {}\n`);
}

const rows = methods.map((one) => [
  privateName(one.operationId),
  `= operation{"${one.http}", "${one.path}", ${one.retry === 'unsafe' ? 'repeating' : one.retry}}`,
]);
const types = `${opening}
import (
	"encoding/json"
	"time"
)

var (
${aligned(rows).join('\n')}
)

// newPosted is where what is posted is decoded; nil for a type that was added later.
func newPosted(kind string) Posted {
	switch kind {
${posted.map((name) => `\tcase "${name}":\n\t\treturn new(${goName(name)})\n`).join('')}\t}
	return nil
}

${[...written.values()].join('\n')}`;

const kinds = schemaNamed('ChatAppParameter').oneOf ?? [];
const kindsText = `${opening}
// kinds are those of the parameters of chat-app templates, for the driver.
var kinds = []ChatAppParameter{
${kinds.map(({ $ref = '' }) => `\t${goName(nameOfReference({ $ref }))}{},\n`).join('')}}
`;

export const files: Readonly<Record<string, string>> = {
  'go/methods.go': methodsText,
  'go/types.go': types,
  'go/kinds_test.go': kindsText,
};
