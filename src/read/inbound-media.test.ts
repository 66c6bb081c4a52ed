/** Files of inbound messages: who gets them, with which headers, and what is said if they are not there. */
import { Readable } from 'node:stream';
import { expect } from '@jest/globals';
import type { OpenedMedia } from '../connectors/contract/kind.ts';
import { testEvery } from '../platform/for-every-testing.ts';
import { createGetInboundFile } from './inbound-media.ts';

const id = '7d1c2f4a-8e0b-4c55-9b1e-3f7a2c6d9e10';
const stream = Readable.from(['x']);
const away: string[] = [];
const get = (opened: OpenedMedia, mimeType: string | null = 'image/png', messageId = id) =>
  createGetInboundFile({
    find: async (team, asked) =>
      team === 'acme' && asked === id
        ? { connector: 'meta', media: mimeType === null ? null : { id: '17', mimeType } }
        : undefined,
    open: async () => opened,
    onAway: (...said) => void away.push(said.join(' ')),
  })('acme', messageId);
const open = (bytes?: number): OpenedMedia => ({ kind: 'open', stream, bytes });

testEvery([
  ['image/png', 7, { 'Content-Type': 'image/png', 'Content-Length': '7' }],
  ['audio/ogg; codecs=opus', undefined, { 'Content-Type': 'audio/ogg; codecs=opus' }],
  ['text/html', undefined, { 'Content-Type': 'text/html' }],
  ['image/png\r\nSet-Cookie: a', undefined, { 'Content-Type': 'application/octet-stream' }],
])('%j is an attachment of its type, which no browser opens as a page', async (type, bytes, headers) => {
  expect((await get(open(bytes), type)).headers).toEqual({
    ...{ 'Content-Disposition': 'attachment', 'X-Content-Type-Options': 'nosniff' },
    ...headers,
  });
});

testEvery<[string, Parameters<typeof get>, number, string]>([
  [
    'a message of nobody',
    [open(), 'image/png', id.replace('7', '8')],
    404,
    `Inbound message ${id.replace('7', '8')} not found.`,
  ],
  ['what is no id', [open(), 'image/png', 'x'], 404, 'Inbound message x not found.'],
  ['a text', [open(), null], 404, `Inbound message ${id} has no file that can be read.`],
  ['a file that is gone', [{ kind: 'missing' }], 404, `Inbound message ${id} has no file that can be read.`],
  [
    'a network that is away',
    [{ kind: 'away', reason: 'timeout' }],
    ...([503, 'The network is temporarily unavailable. Try again later.'] as const),
  ],
])('%s', async (_what, asked, status, desc) => {
  await expect(get(...asked)).rejects.toMatchObject({ status, desc });
  expect(away).toEqual(status === 503 ? ['meta timeout'] : []);
});
