/** The operations of an OpenAPI document by tag, in Markdown: each leads to its page. */
import { operationsOf } from '../../contract/operations.ts';
import type { Tree } from '../../contract/types.ts';

export interface ListOf {
  title: string;
  /** The first paragraph. */
  opening: string;
  /** Stands before each path. */
  prefix: string;
  /** Where the pages of the operations are, beside the list. */
  folder: string;
}

export function operationList(document: Tree, { title, opening, prefix, folder }: ListOf): string {
  const operations = operationsOf(document);
  const tags = document.tags ?? [{ name: 'Operations' }];
  const parts = tags.map(({ name, description }) => {
    const rows = operations
      .filter(({ tags: [tag] = ['Operations'] }) => tag === name)
      .map(
        ({ summary, operationId, method, path }) =>
          `| [${summary}](${folder}/${operationId}.md) | \`${method.toUpperCase()} ${prefix}${path}\` |\n`,
      );
    return `## ${name}\n\n${description === undefined ? '' : `${description.trim()}\n\n`}| operation | |\n|---|---|\n${rows.join('')}`;
  });
  return `# ${title}\n\n${opening}\n\n${parts.join('\n')}`;
}
