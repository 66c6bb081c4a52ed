/** The page of one operation in Markdown: how it is called, what it takes and returns, and its errors. */
import { own } from '../../platform/text/own.ts';
import type { ErrorEntry } from '../errors/error-pages.ts';
import {
  type ApiDocument,
  type MediaType,
  type NamedOperation,
  type Parameter,
  type RequestBody,
  type Response,
  resolved,
  type Schema,
} from './document.ts';
import { sampleCall } from './sample-call.ts';
import { oneLine, schemasIn, schemaText, typeOf } from './schemas.ts';

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

/** The links start from docs/reference/ or docs/management/. */
export function operationPage(reference: ReferenceOf, operation: NamedOperation): string {
  const { document, prefix, suffix } = reference;
  const { method, path, operationId, summary, description = '', parameters = [] } = operation;
  const body = mediaOf(resolved<RequestBody>(document, operation.requestBody ?? {}).content);
  const { shown, media } = successOf(document, operation);
  const schemas = schemasIn(document, [body?.schema, media?.schema]);
  return [
    `# ${summary}${suffix}\n`,
    `\`${method} ${prefix}${path}\` · \`${operationId}\`\n`,
    description === '' ? '' : `${description.trim()}\n`,
    `\`\`\`sh\n${sampleCall(reference, operation)}\n\`\`\`\n`,
    shown === undefined ? '' : `\`\`\`json\n${JSON.stringify(shown, null, 2)}\n\`\`\`\n`,
    parameterTable(parameters.map((one) => resolved<Parameter>(document, one))),
    body?.schema === undefined ? '' : `## Request body\n\n${typeOf(body.schema)}\n`,
    media?.schema === undefined ? '' : `## Response\n\n${typeOf(media.schema)}\n`,
    errorTable(reference, operation),
    nextOf(reference, operation),
    schemas.length === 0 ? '' : `## Schemas\n`,
    ...schemas.map(([name, schema]) => schemaText(name, schema)),
  ]
    .filter((part) => part !== '')
    .join('\n');
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

function parameterTable(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    ({ name, in: place, required = false, schema = {}, description = '' }) =>
      `| \`${name}\` | ${place}${required ? ', required' : ''} | ${typeOf(schema as Schema)} | ${oneLine(description)} |\n`,
  );
  return `## Parameters\n\n| parameter | in | type | |\n|---|---|---|---|\n${rows.join('')}`;
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
      const words = oneLine(resolved<Response>(document, response).description ?? '');
      return `| ${status} | ${[words, ...(links.length === 0 ? [] : [links.join(', ')])].join(' ')} |\n`;
    });
  return rows.length === 0 ? '' : `## Errors\n\n| status | |\n|---|---|\n${rows.join('')}`;
}

function nextOf({ guides }: ReferenceOf, { tags: [tag = ''] = [] }: NamedOperation): string {
  const guide = own(guides, tag);
  return guide === undefined ? '' : `## Next\n\nRead the [guide](../guides/${guide}.md).\n`;
}
