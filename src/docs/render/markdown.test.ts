/** What Markdown becomes on a page. */
import { describe, expect, test } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { relativeLink } from './html.ts';
import { siteTarget, withMarkdownLinks } from './links.ts';
import { renderMarkdown } from './markdown.ts';

const place = { path: '/docs/guides/limits', file: 'docs/guides/limits.md' };
const render = (text: string) => renderMarkdown(text, place).html;

testEvery([
  [
    'a link to a file leads to its page',
    '[x](receipts.md#verify)',
    '<a href="../../docs/guides/receipts#verify">x</a>',
  ],
  ['other links stay', '[x](https://a.example/b.md)', '<a href="https://a.example/b.md">x</a>'],
  ['a file that the site does not have is no link', '[x](../../src/main.ts) y', '<p>x y</p>'],
  ['headings can be linked to', '## What is *checked*?', '<h2 id="what-is-checked">'],
  ['the second heading of a name has an id of its own', '## A\n\n## A', '<h2 id="a-1">'],
  ['code is escaped', '```text\na < b\n```', '<code class="language-text">a &lt; b</code>'],
  ['code is coloured', '```json\n{"a": 1}\n```', '<span class="hljs-attr">'],
  ['a row about a setting can be linked to', '| a | b |\n|---|---|\n| `PORT` | x |', '<tr id="port">'],
  ['a column without a name has no header', '| a | |\n|---|---|\n| b | c |', '<tr><th>a</th><td></td></tr>'],
])('%s', (_rule, markdown, html) => {
  expect(render(markdown)).toContain(html);
});

describe('tabs', () => {
  const tabsOf = (html: string) => [...html.matchAll(/role="tab"[^>]*>([^<]+)</g)].map(([, name]) => name);

  test('a call by curl is shown in six languages, and what follows is its response', () => {
    const html = render('```sh\ncurl -s "http://x/y"\n```\n\n```json\n{}\n```');
    expect(tabsOf(html)).toEqual(['curl', 'TypeScript', 'Python', 'PHP', 'Go', 'Java']);
    expect(html).toContain('<div class="head">Response</div>');
    expect(html.match(/role="tabpanel"[^>]* hidden/g)).toHaveLength(5);
  });

  test('programs in files that follow each other are one program', () => {
    expect(tabsOf(render('```python file=a.py\n1\n```\n\n```php file=a.php\n2\n```'))).toEqual([
      'Python',
      'PHP',
    ]);
  });

  test('programs with text in between are several', () => {
    expect(tabsOf(render('```python file=a.py\n1\n```\n\nand\n\n```php file=a.php\n2\n```'))).toEqual([]);
  });
});

testEvery([
  ['/docs', '/docs/assets/style.css', 'docs/assets/style.css'],
  ['/docs/guides', '/docs', '../docs'],
  ['/docs/guides/limits', '/docs/errors', '../../docs/errors'],
])('from %s to %s: %s', (path, target, link) => {
  expect(relativeLink(path, target)).toBe(link);
});

testEvery([
  ['../spec/openapi.yaml', 'docs/networks.md', '/openapi.yaml'],
  ['docs/networks.md#connectors', 'README.md', '/docs/networks#connectors'],
  ['mailto:a@b.example', 'README.md', 'mailto:a@b.example'],
  ['../../deploy/systemd', 'docs/operate/deploy.md', undefined],
  ['../networks.md', 'docs/operate/teams.md', '/docs/networks'],
])('%s in %s leads to %s', (href, file, target) => {
  expect(siteTarget(href, file)).toBe(target);
});

test('links in Markdown lead to Markdown, those in code stay', () => {
  const text = '[a](receipts.md#b) `[c](d.md)` [e](../../src/main.ts)\n\n```text\n[f](g.md)\n```\n';
  expect(withMarkdownLinks(text, place.file, place.path)).toBe(
    '[a](../../docs/guides/receipts.md#b) `[c](d.md)` e\n\n```text\n[f](g.md)\n```\n',
  );
});
