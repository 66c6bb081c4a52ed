/** Guides and the Markdown they are made of. */

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { marked, type Tokens } from 'marked';
import { readDocument } from '../../spec/read.ts';
import { type GuideName, guideOrder, renderGuide, renderGuideList } from './guides.ts';
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

test.each(['nothing', '../errors', 'constructor', 'receipts.md'])('%s is not a guide', (name) => {
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

describe('what the document lists, the guides list too:', () => {
  const { schemas } = readDocument('openapi').components;

  test.each([
    ['receipts', 'state', schemas.SmsDeliveryStatus.anyOf[0].enum],
    ['mobile-data', 'state', schemas.DataDeliveryStatus.anyOf[0].enum],
    ['chat-app', 'type', Object.keys(schemas.ChatAppParameter.discriminator.mapping)],
  ] as [GuideName, string, string[]][])('%s, by %s', (guide, header, names) => {
    expect(
      firstColumn(guide, header)
        .flatMap((cell) => cell.split(', '))
        .sort(),
    ).toEqual([...names].sort());
  });

  test.each([
    ['recipients, SMS free-form and mobile data', schemas.SmsSendToMany.properties.addresses.maxItems],
    ['recipients, SMS free-form and mobile data', schemas.DataSendToMany.properties.phones.maxItems],
    ['recipients, SMS and chat-app templates', schemas.SmsTemplateSendToMany.properties.addresses.maxItems],
    [
      'recipients, SMS and chat-app templates',
      schemas.ChatAppTemplateSendToMany.properties.addresses.maxItems,
    ],
    ['parameters of a template', schemas.SmsTemplateSendToMany.properties.params.maxItems],
    ['an SMS, after substitution', schemas.MessageText.maxLength],
    ['`correlator`', schemas.ReceiptRequest.properties.correlator.maxLength],
    ['`callbackUrl`', schemas.ReceiptRequest.properties.callbackUrl.maxLength],
  ])('limits: %s: %i', (what, limit) => {
    const [row] = tablesOf('limits').flatMap(({ rows }) => rows.filter(([cell]) => cell?.text === what));
    expect(row?.[1]?.text.match(/\d+/g)?.map(Number)).toContain(limit);
  });
});

/** The first cells of the one table with this header. */
function firstColumn(guide: GuideName, header: string): string[] {
  const table = tablesOf(guide).find((one) => one.header[0]?.text === header);
  return table?.rows.map(([cell]) => cell?.text ?? '') ?? [];
}

function tablesOf(guide: GuideName): Tokens.Table[] {
  const text = readFileSync(new URL(`../../docs/guides/${guide}.md`, import.meta.url), 'utf8');
  return marked.lexer(text).filter((token): token is Tokens.Table => token.type === 'table');
}
