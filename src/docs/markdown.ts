/** Turns Markdown into HTML for the pages: headings to link to, code and tables that scroll on narrow screens. */
import { Marked, type Tokens } from 'marked';
import { escapeHtml } from './page.ts';

const marked = new Marked({
  renderer: {
    heading({ tokens, depth, text }: Tokens.Heading): string {
      return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    code({ text, lang = '' }: Tokens.Code): string {
      return codeBlock(text, lang.split(' ')[0] ?? '');
    },
    table(table: Tokens.Table): string {
      const row = (cells: Tokens.TableCell[], tag: string) =>
        `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
      const body = table.rows.map((cells) => row(cells, 'td')).join('\n');
      return `<div class="table" tabindex="0" role="group" aria-label="Table"><table>
<thead>${row(table.header, 'th')}</thead>
<tbody>${body}</tbody>
</table></div>
`;
    },
    link({ href, tokens }: Tokens.Link): string {
      return `<a href="${escapeHtml(pageOf(href))}">${this.parser.parseInline(tokens)}</a>`;
    },
  },
});

/** The HTML of a whole text. */
export function renderMarkdown(text: string): string {
  return marked.parse(text, { async: false });
}

/** The HTML of one line, without a paragraph around it. */
export function renderInline(text: string): string {
  return marked.parseInline(text, { async: false });
}

/** Reached by keyboard, because it may be wider than the screen. */
export function codeBlock(text: string, language: string): string {
  return `<pre tabindex="0"><code class="language-${escapeHtml(language)}">${escapeHtml(text)}</code></pre>\n`;
}

/** Other guides are linked by their files, as a reader of the repository needs it; pages have no extension. */
function pageOf(href: string): string {
  return /^https?:/.test(href) ? href : href.replace(/\.md(?=#|$)/, '');
}

function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
