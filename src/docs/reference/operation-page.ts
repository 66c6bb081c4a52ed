/** The page of one operation in Markdown: how it is called, what it takes and returns, and its errors. */
import { own } from '../../platform/text/own.ts';
import type { ErrorEntry } from '../errors/error-pages.ts';
import {
  type ApiDocument,
  type MediaType,
  type NamedOperation,
  nameOfReference,
  type Parameter,
  type RequestBody,
  type Response,
  resolved,
  type Schema,
} from './document.ts';
import { sampleCall } from './sample-call.ts';
import {
  descriptionOf,
  leadingSchemas,
  listItem,
  oneLine,
  schemasIn,
  schemaText,
  typeOf,
} from './schemas.ts';

export interface ReferenceOf {
  document: ApiDocument;
  /** Stands before each path of the document. */
  prefix: string;
  /** The errors that have a page, with the document's own examples. */
  errors: readonly ErrorEntry[];
  /** After the title, where other documents have operations of the same name. */
  suffix: string;
  /** By tag: the guide that explains what its operations belong to. */
  guides: Readonly<Record<string, string>>;
}

const placeNames: Readonly<Record<string, string>> = {
  path: 'in the path',
  query: 'in the query',
  header: 'header',
};

/** Below it are the schemas that the body and the response are made of. */
export const schemasHeading = 'Schemas';

/** The links start from docs/reference/ or docs/management/. */
export function operationPage(reference: ReferenceOf, operation: NamedOperation): string {
  const { document, prefix, suffix } = reference;
  const { method, path, operationId, summary, description = '', parameters = [] } = operation;
  const body = mediaOf(resolved<RequestBody>(document, operation.requestBody ?? {}).content);
  const { shown, media } = successOf(document, operation);
  const schemas = schemasIn(document, [body?.schema, media?.schema]);
  /** What is shown is not shown again. */
  const take = (names: Iterable<string>) =>
    [...names].flatMap((name) => {
      const schema = schemas.get(name);
      schemas.delete(name);
      return schema === undefined ? [] : [schemaText(document, name, schema)];
    });
  const sectionOf = (heading: string, schema: Schema | undefined) => {
    if (schema === undefined) return [];
    const sections = take(leadingSchemas(document, schema));
    schemas.delete(nameOfReference(schema));
    return [opening(document, heading, schema), ...sections];
  };
  const parts = [
    `# ${summary}${suffix}\n`,
    `\`${method} ${prefix}${path}\` · \`${operationId}\`\n`,
    description === '' ? '' : `${description.trim()}\n`,
    `\`\`\`sh\n${sampleCall(reference, operation)}\n\`\`\`\n`,
    shown === undefined ? '' : `\`\`\`json\n${JSON.stringify(shown, null, 2)}\n\`\`\`\n`,
    parameterList(
      document,
      parameters.map((one) => resolved<Parameter>(document, one)),
    ),
    ...sectionOf('Request body', body?.schema),
    ...sectionOf('Response', media?.schema),
    errorTable(reference, operation),
    nextOf(reference, operation),
  ];
  const others = take(schemas.keys());
  return [...parts, ...(others.length === 0 ? [] : [`## ${schemasHeading}\n`, ...others])]
    .filter((part) => part !== '')
    .join('\n');
}

/** What is above the sections of a body: its type, unless a section below says it. */
function opening(document: ApiDocument, heading: string, root: Schema): string {
  const schema = resolved<Schema>(document, root);
  const isNamed = root.$ref !== undefined && schema.properties !== undefined;
  const words = isNamed ? [] : [schema.description?.trim() ?? '', typeOf(document, schema)];
  return [`## ${heading}`, ...words.filter((part) => part !== '')].map((part) => `${part}\n`).join('\n');
}

/** The first response in the range 2xx: its media type, and an example. */
function successOf(
  document: ApiDocument,
  { responses }: NamedOperation,
): { shown?: unknown; media?: MediaType | undefined } {
  const [, response] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  if (response === undefined) return {};
  const media = mediaOf(resolved<Response>(document, response).content);
  const [example] = Object.values(media?.examples ?? {});
  return { media, shown: example?.value };
}

function mediaOf(content: Readonly<Record<string, MediaType>> = {}): MediaType | undefined {
  return Object.values(content)[0];
}

function parameterList(document: ApiDocument, parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return '';
  const items = parameters.map(({ name, in: place, required = false, schema = {}, description }) => {
    const details = [
      own(placeNames, place) ?? place,
      typeOf(document, schema),
      ...(required ? ['required'] : []),
    ];
    return `${listItem(name, details, description ?? descriptionOf(document, schema))}\n`;
  });
  return `## Parameters\n\n${items.join('')}`;
}

/** What the document says of each status, with the pages of its errors. */
function errorTable({ document, errors }: ReferenceOf, { method, path, responses }: NamedOperation): string {
  const isOwn = ({ shown }: ErrorEntry) =>
    shown.some(({ operations }) => operations.includes(`${method} ${path}`));
  const rows = Object.entries(responses)
    .filter(([status]) => !status.startsWith('2'))
    .map(([status, response]) => {
      const links = errors
        .filter((entry) => String(entry.rejection.status) === status && isOwn(entry))
        .map(({ slug }) => `[${slug}](../errors/${slug}.md)`);
      const words = oneLine(resolved<Response>(document, response).description ?? '').replaceAll('|', '\\|');
      return `| ${status} | ${[words, ...(links.length === 0 ? [] : [links.join(', ')])].join(' ')} |\n`;
    });
  return rows.length === 0 ? '' : `## Errors\n\n| status | |\n|---|---|\n${rows.join('')}`;
}

function nextOf({ guides }: ReferenceOf, { tags: [tag = ''] = [] }: NamedOperation): string {
  const guide = own(guides, tag);
  return guide === undefined ? '' : `## Next\n\nRead the [guide](../guides/${guide}.md).\n`;
}
