/** An archive that others can write to: a manifest leads nowhere else, and a long line costs little. */
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { testEvery } from '../platform/for-every-testing.ts';
import { findInArchive } from './find.ts';
import { createSegment, linesOf, type Manifest, manifestIn, manifestName, textOf } from './segment.ts';
import type { ArchiveStore } from './store.ts';
import { verifyArchive } from './verify.ts';

async function written(line: string): Promise<{ bytes: Buffer; manifest: Manifest }> {
  const segment = createSegment();
  const at = '2027-01-31T09:30:00.123456Z';
  await segment.add(line, { team: 'acme', rows: {}, from: at, through: at });
  const made = await segment.end({ database: 'one', number: 1, previous: null });
  if (made === undefined) throw new Error('there is a line');
  return made;
}

async function listOf(lines: AsyncIterable<string>): Promise<string[]> {
  const list: string[] = [];
  for await (const line of lines) list.push(line);
  return list;
}

testEvery<[field: keyof Manifest, values: unknown[]]>([
  ['format', ['other', null]],
  ['number', [0, -1, 1.5, '1', 2]],
  ['previous', ['', '../x']],
  ['file', ['../other/x.gz', '/etc/passwd', '00000001-0123456789abcdef.ndjson.gz', '\u202e', 7, null]],
  ['sha256', ['x', null]],
  ['bytes', [-1, 'x']],
  ['rows', [null, {}, { requests: 'x' }]],
  ['teams', [null, 'acme', [1]]],
  ['from', ['yesterday', 7]],
  ['through', ['', null]],
  ['requestIds', [undefined, 'x', ['1', '2'], [null, null]]],
])('a text whose %s has not the form of that of a manifest is none', async (field, values) => {
  const { manifest } = await written('{}');
  expect(manifestIn(textOf(manifest))).toEqual(manifest);
  for (const value of values)
    expect(manifestIn(JSON.stringify({ ...manifest, [field]: value }))).toBeUndefined();
});

test('lines come whole from parts of any length, and one that is too long ends the reading early', async () => {
  const lines = ['a'.repeat(100_000), '', 'é'.repeat(70_000), 'b'];
  expect(await listOf(linesOf(gzipSync(lines.join('\n'))))).toEqual(lines);
  const long = gzipSync(Buffer.alloc(1_000_000, 'a'));
  await expect(listOf(linesOf(long, 500_000))).rejects.toThrow('longer than 500000');
});

testEvery([
  ['not JSON', '{"kind":"ledger"'],
  ['no rows', '{"kind":"request"}'],
  ['no entries', '{"kind":"ledger","range":{},"statement":{}}'],
])('a line with %s is named with its file by verify and find', async (_what, line) => {
  const { bytes, manifest } = await written(line);
  const files = new Map([
    [manifestName(1), Buffer.from(textOf({ ...manifest, rows: { ...manifest.rows, ledgerEntries: 1 } }))],
    [manifest.file, bytes],
  ]);
  const store: ArchiveStore = {
    url: 'memory:',
    write: async () => {},
    read: async (name) => files.get(name),
    names: async () => [...files.keys()],
  };
  const { faults } = await verifyArchive(store, undefined);
  if (line.includes('ledger'))
    expect(faults).toEqual([expect.stringContaining(`${manifest.file} is not a segment`)]);
  await expect(listOf(findInArchive(store, { phone: '' }))).rejects.toThrow(
    `${manifest.file} is not a segment`,
  );
});
