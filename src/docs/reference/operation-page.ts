/** The page of one operation in Markdown: how it is called, what it takes and returns, and its errors. */
import { mediaOf, successOf } from '../../contract/operations.ts';
import { followed, isReference, nameOfReference } from '../../contract/references.ts';
import type { DocumentedOperation, Parameter, Schema, Tree } from '../../contract/types.ts';
import { own } from '../../platform/text/own.ts';
import type { ErrorEntry } from '../errors/error-pages.ts';
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
  document: Tree;
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
const schemasHeading = 'Schemas';

/** The links start from docs/reference/ or docs/management/. */
export function operationPage(reference: ReferenceOf, operation: DocumentedOperation): string {
  const { document, prefix, suffix } = reference;
  const { path, operationId, summary, description = '', parameters } = operation;
  const method = operation.method.toUpperCase();
  const body = mediaOf(operation.requestBody);
  const media = mediaOf(successOf(operation));
  const [shown] = Object.values(media?.examples ?? {});
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
    shown === undefined ? '' : `\`\`\`json\n${JSON.stringify(shown.value, null, 2)}\n\`\`\`\n`,
    parameterList(document, parameters),
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
function opening(document: Tree, heading: string, root: Schema): string {
  const schema = followed<Schema>(document, root);
  const isNamed = isReference(root) && schema.properties !== undefined;
  const words = isNamed ? [] : [schema.description?.trim() ?? '', typeOf(document, schema)];
  return [`## ${heading}`, ...words.filter((part) => part !== '')].map((part) => `${part}\n`).join('\n');
}

function parameterList(document: Tree, parameters: readonly Parameter[]): string {
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
function errorTable({ errors }: ReferenceOf, { method, path, responses }: DocumentedOperation): string {
  const isOwn = ({ shown }: ErrorEntry) =>
    shown.some(({ operations }) => operations.includes(`${method.toUpperCase()} ${path}`));
  const rows = Object.entries(responses)
    .filter(([status]) => !status.startsWith('2'))
    .map(([status, response]) => {
      const links = errors
        .filter((entry) => String(entry.rejection.status) === status && isOwn(entry))
        .map(({ slug }) => `[${slug}](../errors/${slug}.md)`);
      const words = oneLine(response.description).replaceAll('|', '\\|');
      return `| ${status} | ${[words, ...(links.length === 0 ? [] : [links.join(', ')])].join(' ')} |\n`;
    });
  return rows.length === 0 ? '' : `## Errors\n\n| status | |\n|---|---|\n${rows.join('')}`;
}

function nextOf({ guides }: ReferenceOf, { tags: [tag = ''] = [] }: DocumentedOperation): string {
  const guide = own(guides, tag);
  return guide === undefined ? '' : `## Next\n\nRead the [guide](../guides/${guide}.md).\n`;
}
