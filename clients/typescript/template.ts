/** Writes down the methods of the TypeScript client, and the table of its operations. */
import { execFileSync } from 'node:child_process';
import { commandOf } from '../../tools/programs.ts';
import { resolved } from '../document.ts';
import { inLines } from '../lines.ts';
import { argumentsOf, type Group, groups, type Method, methods, pageDoc } from '../methods.ts';

function comment(paragraphs: readonly string[], tags: readonly string[] = []): string {
  const text = paragraphs.map((one) => inLines(one, '   * ')).join('\n   *\n   * ');
  const list = tags.map((one) => `\n   * ${inLines(one, '   *   ')}`).join('');
  return paragraphs.length + tags.length === 1 && !text.includes('\n')
    ? `  /** ${text} */\n`
    : `  /**\n   * ${text}${list === '' ? '' : `\n   *${list}`}\n   */\n`;
}

/** The documentation of a query and of a body is in their types. */
function docOf(method: Method): string {
  const { id, doc, item, errors, composed } = method;
  return comment(
    [...doc, ...(item === undefined ? [] : [pageDoc])],
    [
      ...(id === undefined || composed !== undefined ? [] : [`@param ${id.name} ${id.description}`]),
      ...errors.map((one) => `@throws {TarishiError} ${one}`),
    ],
  );
}

interface Parts {
  /** Before the options. */
  parameters: string[];
  /** Of the input. */
  input: string[];
}

function partsOf({ operationId, id, query, body, composed, group, title }: Method): Parts {
  if (composed !== undefined)
    return {
      parameters: [`request: ${title}Request`],
      input: [
        ...(id === undefined ? [] : [`path: { ${id.wire}: request.${id.name} }`]),
        `body: ${group}Body(request)`,
      ],
    };
  const parts: Parts = { parameters: [], input: [] };
  if (id !== undefined) {
    parts.parameters.push(`${id.name}: string`);
    parts.input.push(`path: { ${id.name === id.wire ? id.wire : `${id.wire}: ${id.name}`} }`);
  }
  if (body !== undefined) {
    parts.parameters.push(`body: Body<'${operationId}'>`);
    parts.input.push('body');
  }
  if (query.length > 0) {
    const isFree = query.every((one) => !one.isRequired);
    parts.parameters.push(`query: Query<'${operationId}'>${isFree ? ' = {}' : ''}`);
    parts.input.push('query');
  }
  return parts;
}

function methodText(method: Method): string {
  const { operationId, name, part, item, each } = method;
  const { parameters, input } = partsOf(method);
  const signature = [...parameters, 'options?: CallOptions'].join(', ');
  const call = `this.#call('${operationId}', { ${input.join(', ')} }, options)`;
  const answer = `Result<'${operationId}'>${part === undefined ? '' : `['${part}']`}`;
  const text =
    part === undefined
      ? `  ${name}(${signature}): Promise<${answer}> {\n    return ${call};\n  }\n`
      : `  async ${name}(${signature}): Promise<${answer}> {\n    return (await ${call}).${part};\n  }\n`;
  if (item === undefined) return `${docOf(method)}${text}`;
  const args = [
    ...argumentsOf(method)
      .filter((one) => one === method.id)
      .map((one) => one.name),
    '{ ...query, ...cursor }',
    'options',
  ];
  return `${docOf(method)}${text}
${comment([`Like \`${name}\`, but iterates over all pages and fetches each one as it is needed; \`limit\` is the page size.`])}  ${each}(${signature}): AsyncGenerator<Item<'${operationId}'>, void> {
    return eachItem((cursor) => this.${name}(${args.join(', ')}));
  }
`;
}

const groupText = ({
  title,
  doc,
  methods: own,
}: Group) => `${comment([doc]).replaceAll(/^ {2}/gm, '')}class ${title} {
  readonly #call: Caller;

  constructor(call: Caller) {
    this.#call = call;
  }

${own.map(methodText).join('\n')}}
`;

const sends = groups.filter(({ methods: own }) => own.some((one) => one.composed !== undefined));

const imports: Record<string, string> = {
  caller: 'type { Caller, CallOptions }',
  operations: 'type { Body, Query, Result }',
  pages: '{ eachItem, type Item }',
  ...Object.fromEntries(sends.map(({ name, title }) => [name, `{ type ${title}Request, ${name}Body }`])),
};

const methodsText = `/** The methods of the client, as the OpenAPI document says: written by npm run generate. */
${Object.entries(imports)
  .toSorted(([one], [other]) => (one < other ? -1 : 1))
  .map(([file, names]) => `import ${names} from './${file}.ts';\n`)
  .join('')}
${groups.map(groupText).join('\n')}
/** What a client has, by theme. */
export class Methods {
${groups.map(({ name, title }) => `  readonly ${name}: ${title};\n`).join('')}
  constructor(call: Caller) {
${groups.map(({ name, title }) => `    this.${name} = new ${title}(call);\n`).join('')}  }
}
`;

/** Of times that a caller writes. */
const instants = new Set(
  methods
    .flatMap(({ query, body = [] }) => [...query, ...body])
    .filter(({ type }) => typeof type === 'object' && resolved(type).format === 'date-time')
    .map(({ name }) => `'${name}'`),
);

const routes = `/** The operations of the API, as the OpenAPI document says: written by npm run generate. */

/**
 * With their paths, and whether a retry is safe. \`keyed\`: yes, with the same Idempotency-Key; \`harmless\`: yes, a second
 * call changes nothing; \`unsafe\`: no, it would take effect again; \`file\`: yes, and the response is a file.
 */
export const routes = {
${methods.map((one) => `  ${one.operationId}: { method: '${one.http}', path: '${one.path}', retry: '${one.retry}' },\n`).join('')}} as const;

/** What is a time in a query or a body. */
export type InstantName = ${[...instants].join(' | ')};
`;

const biome = commandOf('@biomejs/biome', 'biome');
const formatted = (text: string) =>
  execFileSync(process.execPath, [biome, 'format', '--stdin-file-path=methods.ts'], {
    input: text,
    encoding: 'utf8',
  });

export const files: Readonly<Record<string, string>> = {
  'typescript/src/methods.ts': formatted(methodsText),
  'typescript/src/routes.ts': formatted(routes),
};
