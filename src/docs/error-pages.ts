/** Renders a page for each error, and the list of all errors by status. */
import { type errors, type Rejection, slugOf } from '../errors.ts';
import { callerErrors } from './caller-errors.ts';
import { type ErrorExample, errorExamples, type PublishedDocument } from './error-examples.ts';
import type { ErrorText } from './error-text.ts';
import { managementErrors } from './management-errors.ts';
import { codeBlock, renderInline } from './markdown.ts';
import { escapeHtml, relativeLink, renderPage } from './page.ts';
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
  422: 'Unprocessable Content',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

interface ErrorEntry extends ErrorText {
  slug: string;
  /** The document's examples of this error; none where it shows none. */
  shown: ErrorExample[];
}

/** All errors, by status and then in the order of the catalogue. */
export function errorEntries(document: PublishedDocument): ErrorEntry[] {
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

export function renderErrorList(document: PublishedDocument): string {
  const path = '/docs/errors';
  const entries = errorEntries(document);
  const statuses = [...new Set(entries.map(({ rejection }) => rejection.status))];
  const parts = statuses.map((status) => {
    const items = entries
      .filter(({ rejection }) => rejection.status === status)
      .map(({ slug, rejection, cause }) => {
        const link = `<a href="${relativeLink(path, `${path}/${slug}`)}">${escapeHtml(rejection.desc)}</a>`;
        return `<li>${link}<p>${renderInline(cause)}</p></li>`;
      });
    return `<h2 id="${status}">${nameOf(status)}</h2>\n<ul class="list">\n${items.join('\n')}\n</ul>\n`;
  });
  return renderPage({
    path,
    title: 'Errors',
    section: 'errors',
    main: `<h1>Errors</h1>
<p>Every error message of the service; <code>…</code> marks the variable parts. To handle errors, see <a href="${relativeLink(path, '/docs/guides/errors')}">the guide</a>.</p>
${parts.join('')}`,
  });
}

/** Undefined if the page does not exist. */
export function renderErrorPage(document: PublishedDocument, slug: string): string | undefined {
  const entries = errorEntries(document);
  const entry = entries.find((one) => one.slug === slug);
  if (entry === undefined) return undefined;
  const { rejection, cause, fix } = entry;
  const operations = [...new Set(entry.shown.flatMap((example) => example.operations))];
  return renderPage({
    path: `/docs/errors/${slug}`,
    title: rejection.desc,
    section: 'errors',
    aside: renderAside(entries, entry),
    main: `<p class="status">${nameOf(rejection.status)}</p>
<h1 class="sentence">${escapeHtml(rejection.desc)}</h1>
<h2>Cause</h2>
<p>${renderInline(cause)}</p>
<h2>Fix</h2>
<p>${renderInline(fix)}</p>
<h2>Example</h2>
${renderExamples(entry)}${operations.length === 0 ? '' : `<h2>Returned by</h2>\n<ul>${operations.map((one) => `<li><code>${escapeHtml(one)}</code></li>`).join('')}</ul>\n`}`,
  });
}

function renderExamples({ rejection, shown }: ErrorEntry): string {
  const head = [
    `HTTP/1.1 ${nameOf(rejection.status)}`,
    ...Object.entries(rejection.headers).map(([name, value]) => `${name}: ${value}`),
    'Content-Type: application/json',
  ].join('\n');
  const examples = shown.length === 0 ? [{ summary: undefined, value: bodyOf(rejection) }] : distinct(shown);
  return examples
    .map(({ summary, value }) => {
      const caption = summary === undefined ? '' : `<p>${escapeHtml(summary)}:</p>\n`;
      return `${caption}${codeBlock(`${head}\n\n${JSON.stringify(value, null, 2)}`, 'http')}`;
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

function renderAside(entries: readonly ErrorEntry[], current: ErrorEntry): string {
  const items = entries
    .filter(({ rejection }) => rejection.status === current.rejection.status)
    .map(
      ({ slug, rejection }) =>
        `<li><a href="${slug}"${slug === current.slug ? ' aria-current="page"' : ''}>${escapeHtml(rejection.desc)}</a></li>`,
    );
  return `<p><a href="${relativeLink(`/docs/errors/${current.slug}`, '/docs/errors')}">All errors</a></p>\n<ul>${items.join('')}</ul>`;
}

function nameOf(status: number): string {
  return `${status} ${phrases[status] ?? ''}`.trimEnd();
}
