/** The Go types of what the service takes and returns. */

import { nameOfReference } from '../../src/contract/references.ts';
import { type Schema, schemaNamed, schemas } from '../document.ts';
import { inLines } from '../lines.ts';
import { type Argument, capital, type Method } from '../methods.ts';

/** The declarations so far, by name. */
export const written = new Map<string, string>();
const structs = new Set<string>();

/** As Go writes a name: `phoneNumberId` is PhoneNumberID, `MARKETING` Marketing. */
export function goName(text: string): string {
  const words = text.match(/\d+[A-Z]*|[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  return words
    .map((word) => {
      if (/^(id|url|sms|otp)$/i.test(word)) return word.toUpperCase();
      const rest = word.slice(1);
      return `${word[0]?.toUpperCase()}${/^[A-Z]+$/.test(rest) && !/^\d/.test(word) ? rest.toLowerCase() : rest}`;
    })
    .join('');
}

export const privateName = (text: string) =>
  goName(text).replace(/^([A-Z]+(?=[A-Z][a-z]|$)|[A-Z])/, (start) => start.toLowerCase());

/** The values that the document names; an extensible list of them may grow. */
function valuesOf({ enum: values, anyOf = [] }: Schema): string[] | undefined {
  return values ?? anyOf.find((one) => one.enum !== undefined)?.enum;
}

/** The Go type of a schema. Writes the types that it names. */
export function typeOf(schema: Schema, name: string): string {
  if (schema.$ref !== undefined) return named(nameOfReference(schema));
  const extended = schema.anyOf?.find(
    ({ $ref }) => $ref !== undefined && nameOfReference({ $ref }) !== 'UnknownValue',
  );
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
  return schema.format === 'int64' ? 'int64' : (plain[String(schema.type)] ?? 'any');
}

/** The type of a schema that the document names. */
export function named(schemaName: string): string {
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
    const { properties: { type, ...properties } = {}, ...variant } = schemaNamed(nameOfReference({ $ref }));
    const required = variant.required?.filter((one) => one !== 'type') ?? [];
    const isNew = !structs.has(goName(nameOfReference({ $ref })));
    const one = struct(goName(nameOfReference({ $ref })), { ...variant, properties, required });
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
      one.$ref === undefined || /^[A-Z]/.test(type) ? one : { ...schemaNamed(nameOfReference(one)), ...one };
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

export interface Field {
  doc: string;
  row: string[];
}

/** gofmt aligns lines that no comment parts. */
export function block(fields: readonly Field[]): string {
  const runs: Field[][] = [];
  for (const field of fields) {
    if (field.doc !== '' || runs.length === 0) runs.push([]);
    runs.at(-1)?.push(field);
  }
  return runs.map((run) => `${run[0]?.doc}${aligned(run.map(({ row }) => row)).join('\n')}\n`).join('');
}

export function aligned(rows: readonly string[][]): string[] {
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

/** The words of `x-client`. */
const words: Record<string, string> = {
  text: 'string',
  recipients: '[]string',
  values: 'map[string]string',
};

export function argumentTypeOf({ name, type }: Argument): string {
  if (typeof type !== 'string') {
    const known: readonly string[] = valuesOf(schemas[capital(name)] ?? {}) ?? [];
    // Some of the values that a name of its own stands for, such as of Product.
    return type.enum?.every((value) => known.includes(value)) ? named(capital(name)) : typeOf(type, name);
  }
  return type.endsWith('[]') ? `[]${goName(type.slice(0, -2))}` : (words[type] ?? named(type));
}

/** The fields of a struct that a caller fills. */
export function fieldsOf(all: readonly Argument[], said: (one: Argument) => string): string {
  return block(
    all.map((one) => ({
      doc: `\t// ${inLines(said(one), '\t// ')}\n`,
      row: [goName(one.name), argumentTypeOf(one)],
    })),
  );
}

/** The type of the query of a list; lists without filters share it. */
export function parametersOf({ operationId, query }: Method, said: (one: Argument) => string): string {
  const isPlain = query.every(({ name }) => name === 'limit' || name === 'cursor');
  const name = isPlain ? 'PageParams' : `${goName(operationId)}Params`;
  const what = isPlain ? 'selects a page of a list' : 'filters a list; what is left out does not';
  written.set(
    name,
    `// ${name} ${what}.
type ${name} struct {\n${fieldsOf(query, said)}}

func (p ${name}) query() query {
	return ${queryOf(query, (one) => `p.${goName(one.name)}`)}
}
`,
  );
  return name;
}

/** A query, from where its values are. */
export function queryOf(all: readonly Argument[], place: (one: Argument) => string): string {
  const pairs = all.map((one) => `{"${one.wire}", ${textOf(one, place(one))}}`);
  return pairs.length === 1
    ? `query{${pairs}}`
    : `query{\n${pairs.map((pair) => `\t\t${pair},\n`).join('')}\t}`;
}

function textOf(one: Argument, field: string): string {
  const type = argumentTypeOf(one);
  if (type === 'bool' && typeof one.type === 'object' && one.type.default !== false)
    throw new Error(`${one.name} needs a pointer`);
  const texts: Record<string, string> = { string: field, 'time.Time': `instant(${field})` };
  return texts[type] ?? (type === 'int' || type === 'bool' ? `text(${field})` : `string(${field})`);
}
