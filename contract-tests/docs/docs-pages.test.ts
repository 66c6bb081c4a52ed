/** What /docs serves: pages, files and the headers that fence them in. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { loadDocument } from '../../src/http/contract/document.ts';
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

describe('the reference', () => {
  test('200 /docs is a page with landmarks, a language and a title', async () => {
    const { status, headers, text } = await get('/docs');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    for (const part of ['<html lang="en">', '<title>', '<header>', '<nav aria-label=', 'id="main"'])
      expect(text).toContain(part);
  });

  test('its scripts are our own, and carry their integrity', async () => {
    const { text } = await get('/docs');
    const scripts = [...text.matchAll(/<script src="([^"]+)" integrity="(sha384-[^"]+)"><\/script>/g)];
    expect(scripts).toHaveLength(text.split('<script').length - 1);
    for (const [, address = '', integrity] of scripts) {
      expect(address).toMatch(/^docs\/assets\/[\w.-]+\.js$/);
      const answer = await fetch(`${service.demo.baseUrl}/${address}`);
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect(`sha384-${createHash('sha384').update(bytes).digest('base64')}`).toBe(integrity);
    }
  });

  test('scripts come from this origin only; styles may be inline', async () => {
    const policy = policyOf(await get('/docs'));
    expect(policy).toEqual({
      'default-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
      'script-src': "'self'",
      'style-src': "'self' 'unsafe-inline'",
      'img-src': "'self' data: blob:",
      'connect-src': "'self'",
    });
  });

  test('304 to a browser that has the page', async () => {
    const etag = (await get('/docs')).headers.get('etag') ?? '';
    expect((await get('/docs', { 'if-none-match': etag, 'cache-control': 'max-age=0' })).status).toBe(304);
  });

  test('302 from /docs/ to /docs, with a relative location', async () => {
    const answer = await get('/docs/');
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '../docs']);
  });
});

describe('pages', () => {
  /** Every page and file that links from /docs/guides lead to, with its response. */
  async function crawl(): Promise<Map<string, Answer>> {
    const found = new Map<string, Answer>();
    const waiting = ['/docs/guides'];
    for (const path of waiting) {
      const answer = await get(path);
      found.set(path, answer);
      if (!answer.headers.get('content-type')?.startsWith('text/html')) continue;
      for (const [, href = ''] of answer.text.matchAll(/(?:href|src)="([^"#]+)[^"]*"/g)) {
        const { pathname, origin } = new URL(href, service.demo.baseUrl + path);
        if (origin === service.demo.baseUrl && !waiting.includes(pathname)) waiting.push(pathname);
      }
    }
    return found;
  }

  test("every link works, and every page's policy forbids what it does not need", async () => {
    const found = await crawl();
    expect([...found].filter(([, { status }]) => status !== 200).map(([path]) => path)).toEqual([]);
    const paths = [...found.keys()];
    for (const path of ['/docs', '/docs/errors', '/docs/errors/rate-limit-exceeded', '/docs/guides/receipts'])
      expect(paths).toContain(path);
    const strict = {
      'default-src': "'none'",
      'style-src': "'self'",
      'img-src': "'self'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
    };
    for (const [path, answer] of found)
      if (/^\/docs\/(guides|errors)/.test(path)) {
        expect({ path, ...policyOf(answer) }).toEqual({ path, ...strict });
        for (const part of ['<html lang="en">', '<title>', '<header>', '<main id="main">', '<h1'])
          expect(answer.text.split(part)).toHaveLength(2);
        expect(answer.text).not.toMatch(/<script|<style|style=|onclick/);
      }
  });

  test.each([
    '/docs/guides/nothing',
    '/docs/errors/nothing',
    '/docs/guides/',
    '/docs/nothing',
  ])('404 %s', async (path) => {
    const answer = await get(path);
    expect([answer.status, answer.body]).toEqual([404, { desc: 'Resource not found.' }]);
  });
});

describe('files', () => {
  test('the library has its version in its name and is kept for a year', async () => {
    const [path] = /docs\/assets\/scalar-[\d.]+\.js/.exec((await get('/docs')).text) ?? [];
    const answer = await fetch(`${service.demo.baseUrl}/${path}`, { headers: { 'accept-encoding': 'gzip' } });
    await answer.arrayBuffer();
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(Number(answer.headers.get('content-length'))).toBeLessThan(1_500_000);
  });

  test('our own files are revalidated each time', async () => {
    const answer = await get('/docs/assets/style.css');
    expect(answer.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
  });

  test.each(['nothing.js', 'constructor', '..%2Freference.js', 'scalar-0.0.0.js'])('404 %s', async (name) => {
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

describe.each(['/docs', '/docs/guides/limits', '/docs/errors', '/docs/assets/style.css'])('%s', (path) => {
  test.each([
    ['x-content-type-options', 'nosniff'],
    ['x-frame-options', 'DENY'],
    ['referrer-policy', 'no-referrer'],
    ['cross-origin-opener-policy', 'same-origin'],
    ['cross-origin-resource-policy', 'same-origin'],
  ])('%s: %s', async (name, value) => {
    expect((await get(path)).headers.get(name)).toBe(value);
  });
});

function policyOf(answer: Answer): Record<string, string> {
  const directives = (answer.headers.get('content-security-policy') ?? '').split('; ');
  return Object.fromEntries(
    directives.map((one) => [one.slice(0, one.indexOf(' ')), one.slice(one.indexOf(' ') + 1)]),
  );
}
