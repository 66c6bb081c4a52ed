/** Writes the Go types and operations, from the OpenAPI document: node clients/go/write-types.ts [--check] */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  inLines,
  nameOf,
  type Operation,
  operations,
  type Parameter,
  posted,
  type Schema,
  schemaNamed,
  schemas,
} from '../document.ts';

/** The declarations so far, by name. */
const written = new Map<string, string>();
const structs = new Set<string>();

/** As Go writes a name: `phoneNumberId` is PhoneNumberID, `MARKETING` Marketing. */
function goName(text: string): string {
  const words = text.match(/\d+[A-Z]*|[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  return words
    .map((word) => {
      if (/^(id|url|sms|otp)$/i.test(word)) return word.toUpperCase();
      const rest = word.slice(1);
      return `${word[0]?.toUpperCase()}${/^[A-Z]+$/.test(rest) && !/^\d/.test(word) ? rest.toLowerCase() : rest}`;
    })
    .join('');
}

const privateName = (text: string) => goName(text).replace(/^[A-Z]/, (letter) => letter.toLowerCase());

/** The values that the document names; an extensible list of them may grow. */
function valuesOf({ enum: values, anyOf = [] }: Schema): string[] | undefined {
  return values ?? anyOf.find((one) => one.enum !== undefined)?.enum;
}

/** The Go type of a schema. Writes the types that it names. */
function typeOf(schema: Schema, name: string): string {
  if (schema.$ref !== undefined) return named(nameOf(schema.$ref));
  const extended = schema.anyOf?.find(({ $ref }) => $ref !== undefined && nameOf($ref) !== 'UnknownValue');
  if (extended !== undefined) return typeOf(extended, name);
  const values = valuesOf(schema);
  if (values !== undefined) return enumeration(values);
  if (schema.properties !== undefined) return struct(goName(name), schema);
  if (schema.items !== undefined) return `[]${typeOf(schema.items, name.replace(/s$/, ''))}`;
  if (typeof schema.additionalProperties === 'object')
    return `map[string]${typeOf(schema.additionalProperties, `${name}Value`)}`;
  if (schema.format === 'date-time') return 'time.Time';
  const plain: Record<string, string> = {
    string: 'string',
    integer: 'int',
    number: 'float64',
    boolean: 'bool',
  };
  return schema.format === 'int64' ? 'int64' : (plain[schema.type ?? ''] ?? 'any');
}

/** The type of a schema that the document names. */
function named(schemaName: string): string {
  const schema = schemaNamed(schemaName);
  const name = goName(schemaName);
  if (schema.oneOf !== undefined) return union(name, schema, schema.oneOf);
  const values = valuesOf(schema);
  if (values === undefined) return typeOf(schema, schemaName);
  if (!written.has(name)) {
    const rows = values.map((value) => [`${name}${goName(value)}`, name, `= ${JSON.stringify(value)}`]);
    const constants = `const (\n${aligned(rows).join('\n')}\n)\n`;
    written.set(name, `${comment(schema, name)}type ${name} string\n\n${constants}`);
  }
  return name;
}

/** The named type with just these values; plain text, if there is none. */
function enumeration(values: readonly string[]): string {
  const found = Object.entries(schemas).find(([, schema]) => `${valuesOf(schema)}` === `${values}`);
  return found === undefined ? 'string' : named(found[0]);
}

/** An interface; each of its variants writes its `type` itself. */
function union(name: string, schema: Schema, variants: readonly Schema[]): string {
  if (written.has(name)) return name;
  const marker = privateName(name);
  written.set(name, `${comment(schema, name)}type ${name} interface{ ${marker}() }\n`);
  for (const { $ref = '' } of variants) {
    const { properties: { type, ...properties } = {}, ...variant } = schemaNamed(nameOf($ref));
    const required = variant.required?.filter((one) => one !== 'type') ?? [];
    const isNew = !structs.has(goName(nameOf($ref)));
    const one = struct(goName(nameOf($ref)), { ...variant, properties, required });
    const marked = `func (${one}) ${marker}() {}\n`;
    const written_ = written.get(one) ?? '';
    written.set(one, `${written_}${isNew ? `\n${marshal(one, type?.const ?? '')}` : ''}\n${marked}`);
  }
  return name;
}

const marshal = (name: string, type: string) => `// MarshalJSON adds the type.
func (p ${name}) MarshalJSON() ([]byte, error) {
	type properties ${name}
	return json.Marshal(struct {
		Type string \`json:"type"\`
		properties
	}{"${type}", properties(p)})
}
`;

function struct(name: string, schema: Schema): string {
  if (structs.has(name)) return name;
  structs.add(name);
  const { properties = {}, required = [] } = schema;
  const fields = Object.entries(properties).map(([property, one]) => {
    const type = typeOf(one, `${name}${goName(property)}`);
    const isOptional = !required.includes(property);
    const needsPointer = /^(int|int64|float64|bool|time\.Time)$/.test(type) || structs.has(type);
    const { description } =
      one.$ref === undefined || /^[A-Z]/.test(type) ? one : { ...schemaNamed(nameOf(one.$ref)), ...one };
    return {
      doc: description === undefined ? '' : `\t// ${inLines(description, '\t// ')}\n`,
      row: [
        goName(property),
        isOptional && needsPointer ? `*${type}` : type,
        `\`json:"${property}${isOptional ? ',omitempty' : ''}"\``,
      ],
    };
  });
  written.set(name, `${comment(schema, name)}type ${name} struct {\n${block(fields)}}\n`);
  return name;
}

interface Field {
  doc: string;
  row: string[];
}

/** gofmt aligns lines that no comment parts. */
function block(fields: readonly Field[]): string {
  const runs: Field[][] = [];
  for (const field of fields) {
    if (field.doc !== '' || runs.length === 0) runs.push([]);
    runs.at(-1)?.push(field);
  }
  return runs.map((run) => `${run[0]?.doc}${aligned(run.map(({ row }) => row)).join('\n')}\n`).join('');
}

function aligned(rows: readonly string[][]): string[] {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows.map(
    (row) =>
      `\t${row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(width(column)))).join(' ')}`,
  );
}

function comment({ description }: Schema, name: string): string {
  if (description === undefined) return '';
  // A word all in capitals stays as it is.
  const text = description.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
  return `// ${inLines(`${name}: ${text}`, '// ')}\n`;
}

/** What is sent again after a lost response, besides what has an Idempotency-Key: a second call changes nothing. */
const harmless = /^(GET .*|POST .*\/(preview|cancel)|POST \/opt-outs(\/remove)?)$/;

function operationRow({ operationId, method, path, parameters }: Operation): string[] {
  const isKeyed = parameters.some(({ name }) => name === 'Idempotency-Key');
  const retry = isKeyed ? 'keyed' : harmless.test(`${method} ${path}`) ? 'harmless' : 'repeating';
  return [privateName(operationId), `= operation{"${method}", "${path}", ${retry}}`];
}

/** The query parameters of a list. */
function parametersOf({ operationId, parameters }: Operation): void {
  const query = parameters.filter((one) => one.in === 'query');
  const isPlain = query.every(({ name }) => name === 'limit' || name === 'cursor');
  const name = isPlain ? 'PageParams' : `${goName(operationId)}Params`;
  const fields = query.map((one) => ({ one, type: typeOf(one.schema, one.name) }));
  const rows = fields.map(({ one: { name: property, description = '' }, type }) => ({
    doc: `\t// ${inLines(description, '\t// ')}\n`,
    row: [goName(property), type],
  }));
  const pairs = fields.map(({ one, type }) => `\t\t{"${one.name}", ${textOf(one, type)}},\n`);
  const what = isPlain ? 'selects a page of a list' : 'filters a list; what is left out does not';
  written.set(
    name,
    `// ${name} ${what}.
type ${name} struct {\n${block(rows)}}

func (p ${name}) query() query {
	return query{\n${pairs.join('')}\t}
}
`,
  );
}

function textOf({ name, schema }: Parameter, type: string): string {
  const field = `p.${goName(name)}`;
  if (type === 'bool' && schema.default !== false) throw new Error(`${name} needs a pointer`);
  const written: Record<string, string> = { string: field, 'time.Time': `instant(${field})` };
  return written[type] ?? (type === 'int' || type === 'bool' ? `text(${field})` : `string(${field})`);
}

for (const { operationId, answer } of operations) {
  const { $ref } = answer;
  if ($ref === undefined) {
    typeOf(answer, `${operationId}Response`);
    continue;
  }
  const { items, result } = schemaNamed(nameOf($ref)).properties ?? {};
  if (items !== undefined) typeOf(items, operationId);
  else if (result !== undefined) typeOf(result, nameOf($ref));
  else named(nameOf($ref));
}
for (const name of [
  'ReplayRequest',
  'AddOptOuts',
  'RemoveOptOuts',
  'ChatAppParameter',
  'Denomination',
  'OptOutProduct',
])
  named(name);
for (const operation of operations.filter(({ operationId }) => operationId.startsWith('list')))
  parametersOf(operation);
for (const name of posted) {
  const type = named(name);
  written.set(type, `${written.get(type)}\nfunc (*${type}) posted() {}\n`);
}

const types = `// Code generated by clients/go/write-types.ts from the OpenAPI document. DO NOT EDIT.

package tarishi

import (
	"encoding/json"
	"time"
)

var (
${aligned(operations.map(operationRow)).join('\n')}
)

// newPosted is where what is posted is decoded; nil for a type that was added later.
func newPosted(kind string) Posted {
	switch kind {
${posted.map((name) => `\tcase "${name}":\n\t\treturn new(${goName(name)})\n`).join('')}\t}
	return nil
}

${[...written.values()].join('\n')}`;
const file = fileURLToPath(new URL('types.go', import.meta.url));
if (process.argv[2] !== '--check') writeFileSync(file, types);
else if (readFileSync(file, 'utf8') !== types) {
  process.stderr.write(`${file} is not what the document says: npm run generate\n`);
  process.exitCode = 1;
}
