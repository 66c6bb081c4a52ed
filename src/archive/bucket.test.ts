/** An archive in a bucket is as one in a directory. The store is one of this test, with the requests that are needed. */
import { expect, test } from '@jest/globals';
import { openedForAll } from '../platform/db/opened-testing.ts';
import { startTestBucket } from './bucket-testing.ts';
import { openArchive } from './open-archive.ts';
import { readSegments } from './segment-repository.ts';
import { testArchive } from './testing.ts';
import { verifyArchive } from './verify.ts';

const archive = testArchive();
const bucket = openedForAll(startTestBucket, async ({ close }) => close());

test('rows leave for a bucket, which verifies, and one altered byte is named', async () => {
  const { objects, signed } = bucket;
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
