/** Whatever a bucket does, no row leaves before its segment can be read from it again. */
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { openBucket } from './bucket.ts';
import { type Call, refuse, startTestBucket, type TestBucket } from './bucket-testing.ts';
import { readSegments } from './segment-repository.ts';
import type { ArchiveStore } from './store.ts';
import { testArchive } from './testing.ts';
import { verifyArchive } from './verify.ts';

const archive = testArchive();
let bucket: TestBucket;
let store: ArchiveStore;
beforeAll(async () => {
  bucket = await startTestBucket();
  store = openBucket(url);
});
afterEach(() => {
  bucket.fault = undefined;
});
afterAll(() => bucket.close());

const url = 's3://archive-of-tests';
/** For buckets that say nothing. */
const openImpatient = () =>
  openBucket(url, { connectionTimeout: 5_000, requestTimeout: 600, socketTimeout: 600 });

const silence = () => {};
/** The connection is lost in the middle of the body. */
const storeHalf = ({ key, body, response }: Call) => {
  bucket.objects.set(key, body.subarray(0, body.length / 2));
  response.destroy();
};
const storeHalfAndConfirm = ({ key, body, response }: Call) => {
  bucket.objects.set(key, body.subarray(0, body.length / 2));
  response.end();
};
const begin = (body: Buffer, response: ServerResponse) =>
  response.writeHead(200, { 'content-length': body.length }).write(body.subarray(0, body.length / 2));
const cutShort = ({ key, response }: Call) => {
  begin(bucket.objects.get(key) ?? Buffer.of(), response);
  setImmediate(() => response.destroy());
};
const stall = ({ key, response }: Call) => {
  begin(bucket.objects.get(key) ?? Buffer.of(), response);
};
const answerNothing = ({ response }: Call) => response.end();

const segment = /^PUT .*\.gz$/;
const manifest = /^PUT .*\/[0-9]+\.json$/;
const readBack = /^GET .*\.gz$/;

test.each([
  ['refuses all that is read', /^GET/, refuse(403, 'AccessDenied')],
  ['refuses a segment', segment, refuse(403, 'AccessDenied')],
  ['is gone', /./, refuse(404, 'NoSuchBucket')],
  ['asks to slow down', /./, refuse(503, 'SlowDown')],
  ['fails when a segment is read', readBack, refuse(500, 'InternalError')],
  ['does not answer to a manifest', manifest, silence],
  ['does not answer when a segment is read', readBack, silence],
  ['loses the connection in the middle of a segment', segment, storeHalf],
  ['has half of a segment, and confirms it', segment, storeHalfAndConfirm],
  ['loses the connection while a segment is read', readBack, cutShort],
  ['stops in the middle of a segment that is read', readBack, stall],
  ['has an empty segment', readBack, answerNothing],
])('a bucket that %s keeps all rows in the database, and they leave once it works', async (_what, at, act) => {
  await archive.accepted(401, { messages: 2 });
  const here = await archive.rows();
  let struck = 0;
  const count = (call: Call) => {
    struck += 1;
    act(call);
  };
  bucket.fault = { at, act: count };
  const waits = act === silence || act === stall;
  await expect(archive.run({ store: waits ? openImpatient() : store })).rejects.toThrow();
  expect(struck).toBeGreaterThan(0);
  expect(await archive.rows()).toEqual(here);

  bucket.fault = undefined;
  await archive.run({ store });
  expect(await archive.rows()).toEqual({});
  const { faults } = await verifyArchive(store, readSegments(archive.database.knex));
  expect(faults).toEqual([]);
});

test('one that asks once to slow down is asked again', async () => {
  await archive.accepted(401);
  bucket.fault = {
    at: segment,
    act: (call) => {
      bucket.fault = undefined;
      refuse(503, 'SlowDown')(call);
    },
  };
  await archive.run({ store });
  expect(await archive.rows()).toEqual({});
});
