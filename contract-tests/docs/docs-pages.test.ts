/** What /docs serves: pages, files and the headers that fence them in. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { loadDocument } from '../../src/contract/document.ts';
import { testEvery } from '../../src/platform/for-every-testing.ts';
import { type Answer, call } from '../support/service/api.ts';
import { type SharedService, sharedService } from '../support/shared/service.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  call(service.demo.baseUrl, path, { method: 'GET', headers });

describe('the document', () => {
  const { text, published } = loadDocument();

  test('/openapi.yaml is the file without the extensions that only the service reads', async () => {
    const answer = await get('/openapi.yaml');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/yaml']);
    expect(answer.text).toBe(text);
  });

  test('/openapi.json says the same', async () => {
    const answer = await get('/openapi.json');
    expect(answer.body).toEqual(published);
  });
});

describe('pages', () => {
  /** So many of each folder: that no link of any page is broken is tested beside the pages. */
  const ofFolder = 8;
  const known = [
    '/docs/reference/sendSms',
    '/docs/errors/rate-limit-exceeded',
    '/docs/guides/receipts.md',
    '/docs/changelog',
  ];

  /** Pages and files that links from /docs lead to, with their responses. */
  async function crawl(): Promise<Map<string, Answer>> {
    const found = new Map<string, Answer>();
    const waiting = ['/docs', ...known];
    const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'));
    const isFull = (folder: string) => waiting.filter((path) => folderOf(path) === folder).length >= ofFolder;
    for (const path of waiting) {
      const answer = await get(path);
      found.set(path, answer);
      if (!answer.headers.get('content-type')?.startsWith('text/html')) continue;
      for (const [, href = ''] of answer.text.matchAll(
        /<(?:a|link|script) [^>]*(?:href|src)="([^"#]+)[^"]*"/g,
      )) {
        const { pathname, origin } = new URL(href, service.demo.baseUrl + path);
        if (origin !== service.demo.baseUrl || waiting.includes(pathname)) continue;
        if (!isFull(folderOf(pathname))) waiting.push(pathname);
      }
    }
    return found;
  }

  test('links work; every page has landmarks, and its policy forbids what it does not need', async () => {
    const found = await crawl();
    expect([...found].filter(([, { status }]) => status !== 200).map(([path]) => path)).toEqual([]);
    expect(found.size).toBeGreaterThan(3 * ofFolder);
    for (const [path, answer] of found) {
      if (!answer.headers.get('content-type')?.startsWith('text/html')) continue;
      expect({ path, policy: policyOf(answer) }).toEqual({
        path,
        policy: {
          'default-src': "'none'",
          'script-src': "'self'",
          'style-src': "'self'",
          'img-src': "'self'",
          'connect-src': "'self'",
          'base-uri': "'none'",
          'form-action': "'none'",
          'frame-ancestors': "'none'",
        },
      });
      for (const part of ['<html lang="en"', '<title>', '<header>', 'id="main"'])
        expect([path, answer.text.split(part).length]).toEqual([path, 2]);
      expect(answer.text).not.toMatch(/<style| style=| on[a-z]+=/);
    }
  });

  test('scripts are our own, and carry their integrity', async () => {
    for (const path of ['/docs', '/docs/reference/sendSms', '/docs/webhook-tester']) {
      const { text } = await get(path);
      const scripts = [
        ...text.matchAll(/<script type="module" src="([^"]+)" integrity="(sha384-[^"]+)"><\/script>/g),
      ];
      expect(scripts).toHaveLength(text.split('<script').length - 1);
      for (const [, address = '', integrity] of scripts) {
        const answer = await fetch(new URL(address, service.demo.baseUrl + path));
        const bytes = Buffer.from(await answer.arrayBuffer());
        expect(`sha384-${createHash('sha384').update(bytes).digest('base64')}`).toBe(integrity);
      }
    }
  });

  test('304 to a browser that has the page', async () => {
    const etag = (await get('/docs/errors')).headers.get('etag') ?? '';
    const again = await get('/docs/errors', { 'if-none-match': etag, 'cache-control': 'max-age=0' });
    expect(again.status).toBe(304);
  });

  test('302 from /docs/ to /docs, with a relative location', async () => {
    const answer = await get('/docs/');
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '../docs']);
  });

  test('a page is sent as Markdown to those who prefer it', async () => {
    const named = await get('/docs/guides/receipts.md');
    const preferred = await get('/docs/guides/receipts', { accept: 'text/markdown' });
    for (const answer of [named, preferred]) {
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        200,
        'text/markdown; charset=utf-8',
      ]);
      expect(answer.text).toMatch(/^# Receipts\n/);
    }
    for (const accept of ['*/*', 'text/html,application/xhtml+xml,*/*;q=0.8'])
      expect((await get('/docs/guides/receipts', { accept })).text).toMatch(/^<!doctype html>/);
    expect(preferred.headers.get('vary')).toMatch(/Accept\b(?!-)/);
  });

  test('the index of the search is revalidated', async () => {
    const { status, headers } = await get('/docs/search.json');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    const etag = headers.get('etag') ?? '';
    const again = await get('/docs/search.json', { 'if-none-match': etag, 'cache-control': 'max-age=0' });
    expect(again.status).toBe(304);
  });
});

describe('what is not there', () => {
  const paths = [
    '/docs/guides/nothing',
    '/docs/errors/nothing',
    '/docs/guides/',
    '/docs/nothing',
    '/nothing',
  ];

  testEvery(paths)('404 %s, for programs', async (path) => {
    for (const accept of ['*/*', 'application/json']) {
      const answer = await get(path, { accept });
      expect([answer.status, answer.body]).toEqual([404, { desc: 'Resource not found.' }]);
    }
  });

  testEvery(paths)('404 %s, as a page for browsers', async (path) => {
    const answer = await fetch(service.demo.baseUrl + path, { headers: { accept: 'text/html,*/*;q=0.8' } });
    const { status, headers } = answer;
    expect([status, headers.get('error-code')]).toEqual([404, 'no-route']);
    expect(await answer.text()).toContain('<h1>Page not found</h1>');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test('404 of a very deep path is the same for all', async () => {
    const answer = await get(`/${'deep/'.repeat(40)}`, { accept: 'text/html' });
    expect([answer.status, answer.body]).toEqual([404, { desc: 'Resource not found.' }]);
  });
});

describe('files', () => {
  test('are compressed, and revalidated each time', async () => {
    const answer = await get('/docs/assets/style.css', { 'accept-encoding': 'gzip' });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(answer.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
  });

  testEvery(['nothing.js', 'constructor', '..%2Fsite.js'])('404 %s', async (name) => {
    const answer = await get(`/docs/assets/${name}`);
    expect([answer.status, answer.body]).toEqual([404, { desc: 'Resource not found.' }]);
  });

  test('clients without gzip get plain files', async () => {
    const plain = await fetch(`${service.demo.baseUrl}/docs/assets/style.css`, {
      headers: { 'accept-encoding': 'identity' },
    });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.headers.get('vary')).toBe('Accept-Encoding');
    expect(await plain.text()).toBe(
      readFileSync(new URL('../../docs/assets/style.css', import.meta.url), 'utf8'),
    );
  });
});

testEvery([
  '/docs',
  '/docs/reference/sendSms',
  '/docs/search.json',
  '/docs/guides/limits',
  '/docs/errors',
  '/docs/assets/style.css',
])('%s can neither be read nor framed by pages of other origins', async (path) => {
  const { headers } = await get(path, { origin: 'http://localhost:8080' });
  expect(Object.fromEntries(headers)).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  });
  expect(headers.get('access-control-allow-origin')).toBeNull();
});

function policyOf(answer: Answer): Record<string, string> {
  const directives = (answer.headers.get('content-security-policy') ?? '').split('; ');
  return Object.fromEntries(
    directives.map((one) => [one.slice(0, one.indexOf(' ')), one.slice(one.indexOf(' ') + 1)]),
  );
}
