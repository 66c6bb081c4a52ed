/** Turns Markdown into the HTML of a page: headings to link to, samples in six languages, tables that scroll. */
import { Marked, type Token, type Tokens } from 'marked';
import { readCall } from '../samples/call.ts';
import { languages } from '../samples/languages.ts';
import { type CodeBlock, codeBlock, codeTabs, labelOf } from './code.ts';
import { type Part, withFolds } from './folds.ts';
import { escapeHtml } from './html.ts';
import { hrefFrom, siteTarget } from './links.ts';
import { createIds, plain } from './plain.ts';

export interface Heading {
  depth: number;
  id: string;
  /** Without markup. */
  text: string;
}

export interface Rendered {
  html: string;
  /** Those that a table of contents may list, in order. */
  headings: Heading[];
}

export interface Place {
  /** The page. */
  path: string;
  /** The Markdown's place in the repository, which its links start from. */
  file: string;
  /** Whether its third-level sections are folded, as schemas are. */
  isFolded?: boolean;
}

export function renderMarkdown(text: string, place: Place): Rendered {
  const headings: Heading[] = [];
  const ids = createIds();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: written }: Tokens.Heading): string {
        const html = this.parser.parseInline(tokens);
        const id = ids.ofHeading(written);
        if (depth > 1) headings.push({ depth, id, text: plain(written) });
        const anchor =
          depth === 1 || (depth === 3 && place.isFolded)
            ? ''
            : ` <a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(plain(written))}"></a>`;
        return `<h${depth} id="${id}">${html}${anchor}</h${depth}>\n`;
      },
      table(table: Tokens.Table): string {
        const cell = (tag: string) => (one: Tokens.TableCell) =>
          `<${tag}>${this.parser.parseInline(one.tokens)}</${tag}>`;
        // A column may have no name; then its cell heads nothing.
        const head = table.header.map((one) => cell(one.text === '' ? 'td' : 'th')(one)).join('');
        const rows = table.rows.map((cells) => {
          const id = ids.ofRow(cells[0]?.text ?? '');
          return `<tr${id === undefined ? '' : ` id="${id}"`}>${cells.map(cell('td')).join('')}</tr>`;
        });
        return `<div class="table" tabindex="0" role="group" aria-label="Table"><table>
<thead><tr>${head}</tr></thead>
<tbody>${rows.join('\n')}</tbody>
</table></div>\n`;
      },
      link({ href, tokens }: Tokens.Link): string {
        const target = siteTarget(href, place.file);
        const words = this.parser.parseInline(tokens);
        return target === undefined
          ? words
          : `<a href="${escapeHtml(hrefFrom(place.path, target))}">${words}</a>`;
      },
    },
  });
  const parts = groupsOf(marked.lexer(text)).map(
    (group, number): Part =>
      isCode(group)
        ? { html: renderCode(`sample-${number}`, group) }
        : { html: marked.parser([group]), ...(group.type === 'heading' ? { depth: group.depth } : {}) },
  );
  const html = place.isFolded ? withFolds(parts) : parts.map((part) => part.html).join('');
  return { html, headings };
}

interface CodeGroup {
  blocks: CodeBlock[];
}

const isCode = (group: Token | CodeGroup): group is CodeGroup => 'blocks' in group;

/** Programs that follow each other, each named by its file, are one program in several languages. */
function groupsOf(tokens: readonly Token[]): (Token | CodeGroup)[] {
  const groups: (Token | CodeGroup)[] = [];
  let isResponse = false;
  let programs: CodeGroup | undefined;
  for (const token of tokens) {
    if (token.type === 'space') continue;
    if (token.type !== 'code') {
      groups.push(token);
      isResponse = false;
      programs = undefined;
      continue;
    }
    const { text, lang = '' } = token as Tokens.Code;
    const [language = '', ...attributes] = lang.split(' ');
    const isProgram = attributes.some((one) => one.startsWith('file='));
    const blocks = isProgram ? [{ language, label: labelOf(language), text }] : blocksOf(text, language);
    if (isResponse && language === 'json') for (const block of blocks) block.label = 'Response';
    isResponse = blocks.length > 1;
    if (isProgram && programs !== undefined) programs.blocks.push(...blocks);
    else groups.push({ blocks });
    programs = isProgram ? (programs ?? (groups.at(-1) as CodeGroup)) : undefined;
  }
  return groups;
}

/** A command that calls the API is shown in every language. */
function blocksOf(text: string, language: string): CodeBlock[] {
  const call = language === 'sh' ? readCall(text) : undefined;
  if (call === undefined) return [{ language, label: labelOf(language), text }];
  return languages.map(({ id, name, write }) => ({ language: id, label: name, text: write?.(call) ?? text }));
}

function renderCode(id: string, { blocks }: CodeGroup): string {
  const [block] = blocks;
  return blocks.length === 1 && block !== undefined ? codeBlock(block) : codeTabs(id, blocks);
}
