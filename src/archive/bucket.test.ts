/** An archive in a bucket is as one in a directory. The store is one of this test, with the requests that are needed. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openArchive } from './open-archive.ts';
import { readSegments } from './segment-repository.ts';
import { type Archive, openTestArchive } from './testing.ts';
import { verifyArchive } from './verify.ts';

const objects = new Map<string, Buffer>();
const signed: boolean[] = [];
let server: Server;
let archive: Archive;
const before = { ...process.env };

/** Keys of a bucket, two in each page. */
function listOf(bucket: string, query: URLSearchParams): string {
  const prefix = `/${bucket}/${query.get('prefix')}`;
  const after = query.get('continuation-token') ?? '';
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const [page, last] = [keys.slice(0, 2), keys[1]];
  const next = keys.length > 2 ? `<NextContinuationToken>${last}</NextContinuationToken>` : '';
  const contents = page
    .map((key) => `<Contents><Key>${key.slice(bucket.length + 2)}</Key></Contents>`)
    .join('');
  return `<ListBucketResult><IsTruncated>${next !== ''}</IsTruncated>${next}${contents}</ListBucketResult>`;
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://store');
    signed.push(/^AWS4-HMAC-SHA256 Credential=key\//.test(request.headers.authorization ?? ''));
    const key = decodeURIComponent(pathname);
    if (request.method === 'PUT') objects.set(key, await buffer(request));
    const found = objects.get(key);
    if (request.method === 'GET' && searchParams.has('list-type'))
      response.end(listOf(key.split('/')[1] ?? '', searchParams));
    else if (request.method === 'GET' && found === undefined)
      response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
    else response.end(request.method === 'GET' ? found : undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
    AWS_REGION: 'af-south-1',
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
  });
  archive = await openTestArchive();
});
afterAll(async () => {
  process.env = before;
  server.closeAllConnections();
  server.close();
  await archive.close();
});

test('rows leave for a bucket, which verifies, and one altered byte is named', async () => {
  const store = openArchive('s3://archive-of-tests/year/2027');
  for (const days of [430, 420, 410]) {
    await archive.accepted(days);
    await archive.run({ store });
    await archive.database.knex.raw(`update archive set rewound_at = rewound_at - interval '25 hours'`);
  }
  expect(await archive.rows()).toEqual({});
  expect([...objects.keys()].every((key) => key.startsWith('/archive-of-tests/year/2027/'))).toBe(true);
  const verify = () => verifyArchive(store, readSegments(archive.database.knex));
  expect(await verify()).toMatchObject({ segments: 3, rows: { messages: 3 }, faults: [] });
  expect((await store.names()).filter((name) => name.endsWith('.json'))).toHaveLength(4);

  const [file = ''] = (await store.names()).filter((name) => name.startsWith('00000002-'));
  objects.get(`/archive-of-tests/year/2027/${file}`)?.writeUInt8(0, 40);
  expect((await verify()).faults).toEqual([`${file} was altered`]);
  expect(signed.every(Boolean)).toBe(true);
});

test('an object that is not there is none', async () => {
  const store = openArchive('s3://archive-of-tests');
  expect(await store.read('nothing')).toBeUndefined();
});
