/** The Markdown of a page for each error, and of the list of all errors by status. */
import { responseExamples } from '../../contract/examples.ts';
import type { Example, Tree } from '../../contract/types.ts';
import { slugOf } from '../../platform/errors/slugs.ts';
import type { errors, Rejection } from '../../platform/errors.ts';
import { escapeMarkdown } from '../render/plain.ts';
import { callerErrors } from './caller-errors.ts';
import type { ErrorText } from './error-text.ts';
import { managementErrors } from './management-errors.ts';
import { requestErrors, schemaErrors } from './request-errors.ts';

/** Every sentence of the catalogue has its page: one without a cause and a fix does not compile. */
const catalogue: Record<keyof typeof errors, ErrorText> = {
  ...requestErrors,
  ...callerErrors,
  ...managementErrors,
};

/** RFC 9110, section 15; 428 and 429: RFC 6585. */
const phrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  412: 'Precondition Failed',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

export interface ErrorEntry extends ErrorText {
  slug: string;
  /** The document's examples of this error; none where it shows none. */
  shown: ErrorExample[];
}

/** All errors, by status and then in the order of the catalogue. */
export function errorEntries(document: Tree): ErrorEntry[] {
  const examples = errorExamples(document);
  return Object.entries({ ...catalogue, ...schemaErrors } as Record<string, ErrorText>)
    .map(([key, text]) => {
      const names = text.examples ?? [key];
      const isShown = ({ name, status }: ErrorExample) =>
        names.includes(name) && status === text.rejection.status;
      return { ...text, slug: slugOf(key), shown: examples.filter(isShown) };
    })
    .sort((one, other) => one.rejection.status - other.rejection.status);
}

export function errorList(entries: readonly ErrorEntry[]): string {
  const statuses = [...new Set(entries.map(({ rejection }) => rejection.status))];
  const parts = statuses.map((status) => {
    const items = entries
      .filter(({ rejection }) => rejection.status === status)
      .map(
        ({ slug, title, rejection, cause }) =>
          `- [${escapeMarkdown(title)}](errors/${slug}.md)\n  ${[...saidBy(rejection), cause].join('\\\n  ')}`,
      );
    return `## ${nameOf(status)}\n\n${items.join('\n')}\n`;
  });
  return `# Errors

Every error message of the service, with its cause and fix; \`…\` marks the variable parts. To handle errors in your
program, see [Handling errors](guides/errors.md).

${parts.join('\n')}`;
}

export function errorPage(entry: ErrorEntry): string {
  const { title, rejection, slug, cause, fix } = entry;
  const operations = [...new Set(entry.shown.flatMap((example) => example.operations))];
  const returnedBy = operations.map((one) => `- \`${one}\`\n`).join('');
  return `# ${escapeMarkdown(title)}

${[`${nameOf(rejection.status)} · \`Error-Code: ${slug}\``, ...saidBy(rejection)].join('\n\n')}

## Cause

${cause}

## Fix

${fix}

## Example

${examplesOf(entry)}${returnedBy === '' ? '' : `## Returned by\n\n${returnedBy}`}`;
}

/** The sentence in italics; none where all of it varies. */
function saidBy({ desc }: Rejection): string[] {
  return desc === '…' ? [] : [`_${escapeMarkdown(desc)}_`];
}

function examplesOf({ rejection, slug, shown }: ErrorEntry): string {
  const head = [
    `HTTP/1.1 ${nameOf(rejection.status)}`,
    ...Object.entries(rejection.headers).map(([name, value]) => `${name}: ${value}`),
    'Content-Type: application/json',
    `Error-Code: ${slug}`,
  ].join('\n');
  const examples = shown.length === 0 ? [{ summary: undefined, value: bodyOf(rejection) }] : distinct(shown);
  return examples
    .map(({ summary, value }) => {
      const caption = summary === undefined ? '' : `${summary}:\n\n`;
      return `${caption}\`\`\`http\n${head}\n\n${JSON.stringify(value, null, 2)}\n\`\`\`\n\n`;
    })
    .join('');
}

/** The same error of several operations is shown once. */
function distinct(examples: readonly ErrorExample[]): ErrorExample[] {
  return [...new Map(examples.map((one) => [JSON.stringify(one.value), one])).values()];
}

function bodyOf({ desc, result }: Rejection): object {
  return result === undefined ? { desc } : { desc, result };
}

/** The status with its phrase. */
export function nameOf(status: number): string {
  return `${status} ${phrases[status] ?? ''}`.trimEnd();
}

/** A named example in the document, with the operations that return it. */
export interface ErrorExample extends Example {
  name: string;
  status: number;
  /** The operation, such as `POST /oauth/token`. */
  operations: string[];
}

/** One for each status, name and value, in the order of the document. */
export function errorExamples(document: Tree): ErrorExample[] {
  const found = new Map<string, ErrorExample>();
  for (const { operation, status, name, summary = name, value } of responseExamples(document)) {
    if (!/^[45]\d\d$/.test(status)) continue;
    const key = JSON.stringify([status, name, value]);
    const known = found.get(key) ?? { summary, value, name, status: Number(status), operations: [] };
    known.operations.push(`${operation.method.toUpperCase()} ${operation.path}`);
    found.set(key, known);
  }
  return [...found.values()];
}
