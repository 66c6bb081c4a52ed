/** All pages of the documentation: where they come from, and their HTML and Markdown. */
import { readFileSync } from 'node:fs';
import { loadDocument } from '../../contract/document.ts';
import { operationsOf } from '../../contract/operations.ts';
import type { Tree } from '../../contract/types.ts';
import { type ErrorEntry, errorEntries, errorList, errorPage, nameOf } from '../errors/error-pages.ts';
import { operationList } from '../reference/operation-list.ts';
import { operationPage, type ReferenceOf } from '../reference/operation-page.ts';
import { plain } from '../render/plain.ts';
import { type Group, guideOfTag, guideOrder, type WrittenPage, writtenPages } from './catalogue.ts';
import type { TriedOperation } from './try-form.ts';

export interface SiteContext {
  /** The document that this listener serves. */
  document: Tree;
  /** The path that the paths of the document are below, such as `/management`; empty for the public API. */
  basePath: string;
  /** Where clients reach the service. */
  publicUrl: string;
}

/** A page before it is rendered. */
export interface Source {
  /** From the root of the service, such as `/docs/guides/receipts`. */
  path: string;
  title: string;
  label: string;
  group: Group;
  /** Where its links start from, as a path in the repository. */
  file: string;
  /** Markdown, as it was written. */
  text: string;
  isPersonal: boolean;
  /** Not in the navigation: the pages of single errors and operations. */
  isHidden: boolean;
  /** Words that readers search it by, and that it does not use. */
  keywords: string;
  /** The same of its sections, by heading. */
  sectionKeywords?: Readonly<Record<string, string>>;
  form?: 'webhook-tester';
  /** The page of an operation: its samples stand beside its text, its schemas are folded. */
  isOperation?: boolean;
  /** What the page has a form to call, where this listener serves it. */
  tried?: TriedOperation;
}

const root = new URL('../../../', import.meta.url);

/** In the order of the navigation. */
export function sourcesOf({ document, basePath }: SiteContext): Source[] {
  const entries = errorEntries(document);
  const written = writtenPages.map(readWritten);
  const isBefore = ({ group }: Source) => group === 'Start' || group === 'Guides';
  const guides = written.filter(isBefore);
  return [
    ...guides,
    guideList(guides),
    made('/docs/errors', 'Errors', errorList(entries), { label: 'All errors' }),
    ...entries.map((entry) => errorSource(entry)),
    ...apiReference(basePath),
    ...managementReference(basePath),
    ...written.filter((source) => !isBefore(source)),
  ];
}

function readWritten(page: WrittenPage): Source {
  const { name, file, group, label, title: own, isPersonal = false, keywords = '', form } = page;
  const { sectionKeywords = {} } = page;
  const all = readFileSync(new URL(file, root), 'utf8');
  const text = own === undefined ? all : all.replace(/^# .+$/m, `# ${own}`);
  const title = titleOf(text);
  return {
    path: name === '' ? '/docs' : `/docs/${name}`,
    title,
    label: label ?? title,
    group,
    file,
    text,
    isPersonal,
    isHidden: false,
    keywords,
    sectionKeywords,
    ...(form === undefined ? {} : { form }),
  };
}

function titleOf(text: string): string {
  return plain(/^# (.+)$/m.exec(text)?.[1] ?? '');
}

function made(path: string, group: Group, text: string, more: Partial<Source>): Source {
  const title = titleOf(text);
  const file = `${path.slice(1)}.md`;
  return {
    path,
    group,
    title,
    label: title,
    file,
    text,
    isPersonal: false,
    isHidden: false,
    keywords: '',
    ...more,
  };
}

function errorSource(entry: ErrorEntry): Source {
  const { slug, title, rejection } = entry;
  const label = `${nameOf(rejection.status)}: ${title}`;
  const more = { isHidden: true, label, keywords: rejection.desc };
  return made(`/docs/errors/${slug}`, 'Errors', errorPage(entry), more);
}

function guideList(pages: readonly Source[]): Source {
  const items = guideOrder
    .map((name) => pages.find(({ path }) => path === `/docs/guides/${name}`))
    .map(
      (one) => `- [${one?.title}](${one?.path.slice('/docs/'.length)}.md)\n  ${summaryOf(one?.text ?? '')}`,
    );
  const text = `# Guides

Each guide has commands to paste, in six languages, and every command is run against the service before a release.

${items.join('\n')}

The documents behind them: [openapi.yaml](../spec/openapi.yaml), and [asyncapi.yaml](../generated/asyncapi.yaml) for the
receipts that the service posts.
`;
  return made('/docs/guides', 'Guides', text, { isHidden: true });
}

/** The first paragraph. */
export function summaryOf(text: string): string {
  return (/^# .+\n\n((?:.+\n)+)/m.exec(text)?.[1] ?? '').trim().replaceAll('\n', ' ');
}

function apiReference(basePath: string): Source[] {
  const document = loadDocument('openapi').published;
  const form = basePath === '' ? ', and a form that calls it' : '';
  const opening = `Every operation of [openapi.yaml](../spec/openapi.yaml), version ${document.info.version}. The page of each has samples, schemas and errors${form}.`;
  const reference = { document, prefix: '', suffix: '', errors: errorEntries(document), guides: guideOfTag };
  return referenceAt('/docs/reference', reference, basePath, {
    title: 'API reference',
    opening,
    label: 'API',
  });
}

function managementReference(basePath: string): Source[] {
  const document = loadDocument('management').published;
  const opening = `${document.info.description?.trim()}\n\nOn \`MANAGEMENT_PORT\`, the page of each operation has a form that calls it; see [Manage the service](operate/manage.md#call-the-management-api).`;
  const reference = {
    document,
    prefix: '/management',
    suffix: ' (management)',
    errors: errorEntries(document),
    guides: {},
  };
  const title = 'Management API';
  return referenceAt('/docs/management', reference, basePath, { title, opening, label: title });
}

/** The list of a document's operations, and a page for each below it. */
function referenceAt(
  path: string,
  reference: ReferenceOf,
  basePath: string,
  { title, opening, label }: { title: string; opening: string; label: string },
): Source[] {
  const { document, prefix } = reference;
  const folder = path.slice('/docs/'.length);
  const list = operationList(document, { title, opening, prefix, folder });
  const pages = operationsOf(document).map((operation) =>
    made(`${path}/${operation.operationId}`, 'Reference', operationPage(reference, operation), {
      isHidden: true,
      isOperation: true,
      isPersonal: prefix === '',
      keywords: operation.operationId,
      ...(prefix === basePath ? { tried: { prefix, operation } } : {}),
    }),
  );
  return [made(path, 'Reference', list, { label }), ...pages];
}
