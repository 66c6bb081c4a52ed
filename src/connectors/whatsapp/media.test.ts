/** Files that people sent, at the Cloud API: by their id, then by an address of five minutes. */
import type { RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { systemClock } from '../../platform/clock.ts';
import { type Serving, serving } from '../../platform/serving-testing.ts';
import { mediaLimitBytes } from '../contract/kind.ts';
import { checkSettings } from '../runtime/settings.ts';
import { whatsAppKind } from './whatsapp.ts';

let answer: RequestListener;
const asked: unknown[] = [];
let server: Serving;

beforeEach(async () => {
  asked.length = 0;
  server = await serving((request, response) => {
    asked.push([request.url, request.headers.authorization]);
    answer(request, response);
  });
});
afterEach(() => server.close());

const open = async () => {
  const opened = await whatsAppKind.openMedia?.(
    checkSettings(whatsAppKind, { baseUrl: server.url, timeoutSeconds: 1 }),
    { token: 'secret-token' },
    systemClock,
    '17/../1',
  );
  if (opened === undefined) throw new Error('the kind reads no files');
  return opened;
};
/** At the address that the network gives, by default its own. */
const file = (serve: RequestListener, url = `${server.url}/file`) => {
  answer = (request, response) =>
    request.url === '/file' ? serve(request, response) : response.end(JSON.stringify({ url }));
};

test('is streamed, with the token of the business', async () => {
  file((_request, response) => response.writeHead(200, { 'Content-Length': '3' }).end('PNG'));
  const opened = await open();
  if (opened.kind !== 'open') throw new Error(opened.kind);
  expect([String(await buffer(opened.stream)), opened.bytes]).toEqual(['PNG', 3]);
  expect(asked).toEqual([
    ['/v23.0/17%2F..%2F1', 'Bearer secret-token'],
    ['/file', 'Bearer secret-token'],
  ]);
});

test.each<[string, () => void, 'missing' | 'away']>([
  [
    'an id that is unknown',
    () => {
      answer = (_, response) => response.writeHead(400).end('{}');
    },
    'missing',
  ],
  [
    'an id while the network is down',
    () => {
      answer = (_, response) => response.writeHead(500).end('{}');
    },
    'away',
  ],
  ['an address over plain HTTP elsewhere', () => file(() => {}, 'http://elsewhere.example/file'), 'missing'],
  ['an address that has expired', () => file((_, response) => response.writeHead(404).end()), 'missing'],
  ['a redirect', () => file((_, response) => response.writeHead(302, { Location: '/x' }).end()), 'missing'],
  ['a connection that is cut', () => file((_, response) => response.destroy()), 'away'],
  [
    'a file that is too large',
    () => file((_, response) => response.writeHead(200, { 'Content-Length': mediaLimitBytes + 1 }).end()),
    'missing',
  ],
])('%s', async (_what, prepare, kind) => {
  prepare();
  expect(await open()).toMatchObject({ kind });
  expect(asked.length).toBeLessThan(3);
});

test('a file that is larger than it says ends with an error, and so does one that is cut', async () => {
  const megabyte = Buffer.alloc(1024 * 1024);
  const serves: RequestListener[] = [
    (_, response) => {
      const write = () => {
        while (response.write(megabyte));
      };
      response.on('drain', write).writeHead(200);
      write();
    },
    (_, response) => {
      response.writeHead(200, { 'Content-Length': '9' });
      response.write('PNG', () => response.destroy());
    },
  ];
  for (const serve of serves) {
    file(serve);
    const opened = await open();
    if (opened.kind !== 'open') throw new Error(opened.kind);
    await expect(
      (async () => {
        for await (const _chunk of opened.stream);
      })(),
    ).rejects.toThrow();
  }
});
