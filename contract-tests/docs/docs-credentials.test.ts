/** Who sees the credentials of the demo on the pages of /docs, and the link that lets a browser see them. */
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { findDemoFile } from '../../src/demo/file.ts';
import { writtenPages } from '../../src/docs/site/catalogue.ts';
import { demoDocsLink } from '../../src/http/routes/demo-visitor.ts';
import { type Answer, call } from '../support/service/api.ts';
import { type SharedService, sharedService } from '../support/shared/service.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  call(service.demo.baseUrl, path, { method: 'GET', headers });

describe('the credentials of the demo', () => {
  let link: URL;
  let cookie: string;
  const secretIn = async (path: string, headers: Record<string, string> = { cookie }) =>
    (await getAs(path, headers)).includes(service.demo.clientSecret);
  const open = (address: URL, headers: Record<string, string> = {}) =>
    fetch(address, { redirect: 'manual', headers });

  beforeAll(async () => {
    link = new URL(demoDocsLink(service.demo.baseUrl, service.demo) ?? '');
    [cookie = ''] = (await open(link)).headers.get('set-cookie')?.split(';') ?? [];
  });

  test('are in the samples for a browser that opened the link of the start, and are not kept', async () => {
    expect(await secretIn('/docs')).toBe(true);
    expect(await secretIn('/docs.md')).toBe(true);
    expect(await secretIn('/docs/reference/listMessages')).toBe(true);
    expect((await get('/docs', { cookie })).headers.get('cache-control')).toBe('no-store');
    expect((await get('/docs/webhook-tester', { cookie })).text).toContain(service.demo.signingSecret);
  });

  test('open the forms of the management API with the access key of the owner, for that browser only', async () => {
    const { accessKey: key = 'none', managementUrl = '' } = findDemoFile(service.dataDirectory) ?? {};
    const page = new URL('/docs/management/listTeams', managementUrl);
    const owned = await getAs(page.pathname, { cookie }, page.origin);
    expect(owned).toContain(`name="key" value="${key}"`);
    for (const headers of [{}, { cookie: `${cookie}x` }])
      expect(await getAs(page.pathname, headers, page.origin)).not.toContain(key);
  });

  test('are on no page for others on this machine, such as other users', async () => {
    const { clientSecret, signingSecret } = service.demo;
    for (const name of [...writtenPages.map((page) => `/${page.name}`), '/reference/listMessages'])
      for (const headers of [{}, { cookie: `${cookie}x` }, { cookie: 'tarishi-demo=' }]) {
        const { text } = await get(`/docs${name}`.replace(/\/$/, ''), headers);
        expect([name, text.includes(clientSecret), text.includes(signingSecret)]).toEqual([
          name,
          false,
          false,
        ]);
      }
  });

  test('the link leads to the page without the key, and its cookie is for this site and its server only', async () => {
    const { status, headers } = await open(link);
    expect([status, headers.get('location')]).toEqual([302, '../docs']);
    expect(headers.get('set-cookie')).toBe(`${cookie}; path=/docs; samesite=strict; httponly`);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  test.each([
    ['another key', '?key=x', {}],
    ['no key', '', {}],
    ['two keys', '?key=x&key=x', {}],
    ['the key, through a proxy', undefined, { 'x-forwarded-for': '127.0.0.1' }],
  ])('%s sets no cookie', async (_case, search, headers) => {
    const address = new URL(link);
    if (search !== undefined) address.search = search;
    const answer = await open(address, headers as Record<string, string>);
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([302, null]);
  });

  test.each([
    ['through a proxy', { 'x-forwarded-for': '127.0.0.1' }],
    ['through a name that may belong to somebody else', { host: 'demo.example' }],
  ])('are not, %s', async (_case, headers) => {
    expect(await secretIn('/docs', { cookie, ...headers })).toBe(false);
    expect(await secretIn('/docs.md', { cookie, ...headers })).toBe(false);
  });

  /** By Node's own client, because fetch sends no other Host. */
  function getAs(
    path: string,
    headers: Record<string, string>,
    origin = service.demo.baseUrl,
  ): Promise<string> {
    return new Promise((resolve, reject) => {
      request(`${origin}${path}`, { headers, agent: false }, (response) => {
        text(response).then(resolve, reject);
      })
        .on('error', reject)
        .end();
    });
  }
});
