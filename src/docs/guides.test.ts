/** Guides and the Markdown they are made of. */
import { readdirSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { guideOrder, renderGuide, renderGuideList } from './guides.ts';
import { renderMarkdown } from './markdown.ts';
import { relativeLink } from './page.ts';

test('every file of docs/guides is a guide', () => {
  const files = readdirSync(new URL('../../docs/guides', import.meta.url));
  expect(files.sort()).toEqual(guideOrder.map((name) => `${name}.md`).sort());
});

test.each(guideOrder)('%s has one h1, a summary in the list, and marks itself in the navigation', (name) => {
  const page = renderGuide(name) ?? '';
  expect(page.split('<h1')).toHaveLength(2);
  expect(page).toContain(`<a href="${name}" aria-current="page">`);
  expect(renderGuideList()).toMatch(new RegExp(`href="../docs/guides/${name}">[^<]+</a><p>\\S`));
});

test.each(['nothing', '../errors', 'constructor', 'receipts.md'])('%s is no guide', (name) => {
  expect(renderGuide(name)).toBeUndefined();
});

test.each([
  ['a link to a file leads to its page', '[x](receipts.md#verify)', '<a href="receipts#verify">x</a>'],
  ['other links stay', '[x](https://a.example/b.md)', '<a href="https://a.example/b.md">x</a>'],
  ['headings can be linked to', '## What is *checked*?', '<h2 id="what-is-checked">'],
  ['code is escaped', '```sh run=no\na < b\n```', '<code class="language-sh">a &lt; b</code>'],
  ['tables have a head', '| a |\n|---|\n| b |', '<thead><tr><th>a</th></tr></thead>'],
])('%s', (_rule, markdown, html) => {
  expect(renderMarkdown(markdown)).toContain(html);
});

test.each([
  ['/docs', '/docs/assets/style.css', 'docs/assets/style.css'],
  ['/docs/guides', '/docs', '../docs'],
  ['/docs/guides/limits', '/docs/errors', '../../docs/errors'],
])('from %s to %s: %s', (path, target, link) => {
  expect(relativeLink(path, target)).toBe(link);
});
