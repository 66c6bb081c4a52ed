/** The pages of the site as a whole: their texts, links and addresses. */
import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { marked, type Tokens } from 'marked';
import { readDocument } from '../../contract/document.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import { guideOrder, writtenPages } from './catalogue.ts';
import { createDocumentation } from './documentation.ts';
import { type SiteContext, sourcesOf } from './site.ts';

const document = readDocument('openapi');
const publicUrl = 'https://sms.example.com';
const client = { clientId: 'demo', clientSecret: 'c"1', signingSecret: 'whsec_c2lnbmluZw==' };
const sites: Record<string, SiteContext> = {
  public: { document, basePath: '', publicUrl },
  management: { document: readDocument('management'), basePath: '/management', publicUrl },
};
/** What is served beside the pages. */
const otherPaths = ['/', '/openapi.yaml', '/asyncapi.yaml', '/llms.txt'];

test('every Markdown file below docs/ is a page', () => {
  const files = readdirSync(new URL('../../../docs', import.meta.url), { recursive: true }).map(
    (name) => `docs/${name}`,
  );
  const pages = writtenPages.map(({ file }) => file).filter((file) => file.startsWith('docs/'));
  expect(files.filter((file) => file.endsWith('.md')).sort()).toEqual([...pages].sort());
});

describe.each(Object.entries(sites))('the %s site', (_name, context) => {
  const sources = sourcesOf(context);
  const docs = createDocumentation(context);
  const pages = new Map<string, string>();

  beforeAll(async () => {
    for (const { path } of sources) pages.set(path, (await docs.html(path)) ?? '');
  });

  test('each page has one h1, its own title, and no id twice', () => {
    for (const [path, html] of pages) {
      expect([path, html.split('<h1').length]).toEqual([path, 2]);
      const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect([path, ids.filter((id, place) => ids.indexOf(id) !== place)]).toEqual([path, []]);
    }
    // Errors may have the same sentence under different statuses.
    const titles = sources.filter(({ path }) => !path.startsWith('/docs/errors/')).map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
  });

  test('every link and anchor leads somewhere', () => {
    const broken = [...pages].flatMap(([path, html]) =>
      [...html.matchAll(/<a [^>]*href="([^"]+)"/g)]
        .map(([, href = '']) => new URL(href.replaceAll('&amp;', '&'), `http://here${path}`))
        .filter(({ origin }) => origin === 'http://here')
        .filter(({ pathname, hash }) => !leadsSomewhere(pathname, hash))
        .map(({ pathname, hash }) => `${path} → ${pathname}${hash}`),
    );
    expect(broken).toEqual([]);
  });

  test('every link of a Markdown page leads to Markdown or a file', () => {
    const broken = sources.flatMap(({ path }) =>
      [
        ...(docs.markdown(path) ?? '')
          .replace(/^```[\s\S]*?^```$|`[^`\n]*`/gm, '')
          .matchAll(/\]\(([^)\s]+)\)/g),
      ]
        .map(([, href = '']) => new URL(href, `http://here${path}.md`))
        .filter(({ origin }) => origin === 'http://here')
        .filter(({ pathname, hash }) => !leadsSomewhere(pathname, hash) || pages.has(pathname))
        .map(({ pathname, hash }) => `${path} → ${pathname}${hash}`),
    );
    expect(broken).toEqual([]);
  });

  test('a page of an operation links the errors of its own document, on either site', () => {
    const errorsOn = (path: string) =>
      [...(docs.markdown(path) ?? '').matchAll(/errors\/([\w-]+)\.md/g)].map(([, slug]) => slug);
    expect(errorsOn('/docs/reference/listMessages')).toContain('missing-scope');
    expect(errorsOn('/docs/reference/listMessages')).not.toContain('management-not-found');
    expect(errorsOn('/docs/management/listMessages')).toContain('management-not-found');
  });

  test('each operation has a form that calls it, if this listener serves it', () => {
    const served = context.basePath === '' ? '/docs/reference/' : '/docs/management/';
    for (const [path, html] of pages)
      expect([path, html.includes('<form class="tester" id="try"')]).toEqual([path, path.startsWith(served)]);
  });

  function leadsSomewhere(path: string, hash: string): boolean {
    const page = pages.get(path.replace(/\.md$/, ''));
    if (page === undefined) return otherPaths.includes(path);
    return hash === '' || page.includes(` id="${decodeURIComponent(hash.slice(1))}"`);
  }
});

describe('a page', () => {
  const docs = createDocumentation(sites.public as SiteContext);

  test('marks itself in the navigation', async () => {
    for (const name of guideOrder)
      expect(await docs.html(`/docs/guides/${name}`)).toContain(
        `href="../../docs/guides/${name}" aria-current="page"`,
      );
  });

  test('shows the address of the service in its samples', async () => {
    const html = (await docs.html('/docs')) ?? '';
    expect(html).toContain(`${publicUrl}/message/demo-sms`);
    expect(html + docs.markdown('/docs')).not.toMatch(/\$TARISHI_URL|127\.0\.0\.1/);
  });

  test('shows credentials only if it is handed some, escaped', async () => {
    for (const path of [
      '/docs',
      '/docs/reference/sendSms',
      '/docs/webhook-tester',
      '/docs/guides/first-message',
    ]) {
      expect([path, (await docs.html(path))?.includes('c&quot;1')]).toEqual([path, false]);
      expect(await docs.html(path, { client })).toMatch(/c&quot;1|whsec_c2ln/);
    }
    expect(docs.markdown('/docs')).toContain('$TARISHI_CLIENT_SECRET');
    expect(docs.markdown('/docs', { client })).not.toContain('$TARISHI_CLIENT_SECRET');
  });

  test('llms.txt lists all pages of the navigation, and each operation, by their Markdown', () => {
    const listed = [...docs.llms().matchAll(/\]\((https:[^)]+\.md)\)/g)].map(([, address]) => address);
    const shown = sourcesOf(sites.public as SiteContext).filter(
      ({ isHidden, path }) => !isHidden || path.startsWith('/docs/reference/'),
    );
    expect(listed).toEqual(shown.map(({ path }) => `${publicUrl}${path}.md`));
  });

  test('a page that does not exist offers the search and escapes what was asked for', async () => {
    const html = await docs.notFound('/<b>/"x"');
    expect(html).toContain('data-search');
    expect(html).not.toMatch(/<b>|"x"/);
  });
});

describe('what the document lists, the guides list too:', () => {
  const { schemas } = document.components;

  testEvery([
    ['receipts', 'state', schemas.SmsDeliveryStatus.anyOf[0].enum],
    ['mobile-data', 'state', schemas.DataDeliveryStatus.anyOf[0].enum],
    ['chat-app', 'type', Object.keys(schemas.ChatAppParameter.discriminator.mapping)],
  ] as [string, string, string[]][])('%s, by %s', (guide, header, names) => {
    const table = tablesOf(guide).find((one) => one.header[0]?.text === header);
    const listed = table?.rows.flatMap(([cell]) => (cell?.text ?? '').split(', '));
    expect(listed?.sort()).toEqual([...names].sort());
  });

  testEvery([
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

function tablesOf(guide: string): Tokens.Table[] {
  const text = readFileSync(new URL(`../../../docs/guides/${guide}.md`, import.meta.url), 'utf8');
  return marked.lexer(text).filter((token): token is Tokens.Table => token.type === 'table');
}
