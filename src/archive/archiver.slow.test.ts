/** Old rows leave for the archive whole and once, whatever happens in between, and nothing else does. */
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { adoptStore } from './adopt.ts';
import { faultOfArchive } from './known-store.ts';
import { openArchive } from './open-archive.ts';
import { linesOf, manifestIn, manifestName } from './segment.ts';
import { readIdentity, readSegments } from './segment-repository.ts';
import type { ArchiveStore } from './store.ts';
import { type Archive, openTestArchive } from './testing.ts';
import { verifyArchive } from './verify.ts';

let archive: Archive;
beforeEach(async () => {
  archive = await openTestArchive();
});
afterEach(() => archive.close());

/** Of a segment, from its files. */
async function read(number: number) {
  const manifest = manifestIn(String(await archive.store.read(manifestName(number))));
  const bytes = await archive.store.read(manifest?.file ?? '');
  const lines = [];
  for await (const line of linesOf(bytes ?? Buffer.of())) lines.push(JSON.parse(line));
  return { manifest, lines };
}

const requestsIn = async (number: number) =>
  (await read(number)).lines.map(({ request }) => request.id).sort();

describe('leaves', () => {
  test('a request with all that belongs to it, and what phones sent; younger ones stay', async () => {
    const old = await archive.accepted(401, { messages: 3 });
    await archive.accepted(399, { messages: 2 });
    await archive.received(401);
    await archive.received(399);
    await archive.run();
    expect(await archive.rows()).toEqual({ requests: 1, messages: 2, receipts: 3, inbound_messages: 1 });
    const { manifest, lines } = await read(1);
    expect(lines).toMatchObject([
      {
        kind: 'request',
        request: { id: old, team_id: 'acme', operation: 'sendSms' },
        messages: [0, 1, 2].map((position) => ({ position, state: 'Delivered' })),
        receipts: Array.from({ length: 3 }, () => ({ request_id: old })),
      },
      { kind: 'inbound', message: { recipient: '22141' }, receipts: [{ state: 'Delivered' }] },
    ]);
    expect(manifest).toMatchObject({
      number: 1,
      previous: null,
      rows: { requests: 1, messages: 3, receipts: 4, inboundMessages: 1, ledgerEntries: 0 },
      teams: ['acme'],
      requestIds: [old, old],
    });
  });

  test('of a team that keeps rows for less time sooner, but not before numbers are erased', async () => {
    const [brief] = [await archive.accepted(101, { team: 'brief' }), await archive.accepted(101)];
    await archive.database.knex('teams').where({ id: 'acme' }).update({ row_days: 80 });
    await archive.accepted(89);
    await archive.run();
    expect((await requestsIn(1)).includes(brief)).toBe(true);
    expect(await archive.rows()).toMatchObject({ requests: 1 });
  });

  test.each([
    ['a message that is not final', { state: 'Submitted' }],
    ['a number that is not erased', { phone: '+254711000000' }],
    ['a text that is not erased', { content: 'Habari' }],
    ['a receipt that waits', { receipt: 'Waiting' }],
    ['the body of a receipt', { body: '{}' }],
    ['a trace', { trace: 'client=254711000000' }],
    ['the trace of a receipt', { receiptTrace: 'client=254711000000' }],
  ])('not with %s', async (_what, given) => {
    const kept = await archive.accepted(402, given);
    const old = await archive.accepted(401);
    await archive.run();
    expect(await requestsIn(1)).toEqual([old]);
    expect(await archive.database.knex('requests').pluck('id')).toEqual([kept]);
  });

  test('what could not leave, once it can: it is looked at again a day later', async () => {
    const kept = await archive.accepted(402, { receipt: 'Waiting' });
    await archive.accepted(401);
    await archive.run();
    await archive.database.knex('receipts').update({ state: 'Exhausted' });
    await archive.run();
    expect(await archive.rows()).toMatchObject({ requests: 1 });
    await archive.database.knex.raw(`update archive set rewound_at = rewound_at - interval '25 hours'`);
    await archive.run();
    expect(await requestsIn(2)).toEqual([kept]);
    expect(await archive.rows()).toEqual({});
  });

  test('in segments of bounded length, each of which confirms the one before it', async () => {
    const ids = [];
    for (let nth = 0; nth < 120; nth += 1) ids.push(await archive.accepted(600 - nth));
    await archive.run({ segmentBytes: 10_000 });
    expect(await archive.rows()).toEqual({});
    const segments = await archive.database.knex('archive_segments').orderBy('number').pluck('number');
    expect(segments.length).toBeGreaterThan(2);
    const archived = [];
    for (const number of segments) archived.push(...(await requestsIn(Number(number))));
    expect(archived.sort()).toEqual(ids.sort());
  });

  test('within an hour only once: few requests make few segments', async () => {
    await archive.accepted(401);
    await archive.run();
    await archive.accepted(401);
    const archiver = archive.archiver();
    await archive.database.knex.raw(`update archive set held_until = '-infinity'`);
    expect(await archiver.step()).toBe(false);
    expect(await archive.rows()).toMatchObject({ requests: 1 });
  });
});

test('a row that changed before its segment was deleted stays, and leaves with the next segment as it is then', async () => {
  const [changed] = [await archive.accepted(401), await archive.accepted(401)];
  const first = archive.archiver();
  expect(await first.step()).toBe(true);
  await archive.database.knex.raw(`update archive set held_until = '-infinity'`);
  await archive.database.knex('messages').where({ request_id: changed }).update({ state: 'Read' });
  await archive.run();
  expect((await read(1)).lines).toHaveLength(2);
  expect((await read(2)).lines).toMatchObject([{ request: { id: changed }, messages: [{ state: 'Read' }] }]);
  expect(await archive.rows()).toEqual({});
});

describe('nothing is deleted', () => {
  test.each([
    ['before it is noted: it is written again', 0, []],
    ['later', 1, [{ number: '1' }]],
  ])('when the segment cannot be read again as it was written, %s', async (_when, steps, noted) => {
    await archive.accepted(401);
    let damaged = false;
    const damaging = {
      ...archive.store,
      read: async (name: string) => {
        const bytes = await archive.store.read(name);
        return bytes && damaged && name.endsWith('.gz') ? bytes.fill(0, 20, 21) : bytes;
      },
    };
    const archiver = archive.archiver({ store: damaging });
    for (let step = 0; step < steps; step += 1) await archiver.step();
    damaged = true;
    await expect(archiver.step()).rejects.toThrow(/^00000001-.*was altered/);
    expect(await archive.rows()).toMatchObject({ requests: 1, messages: 1 });
    expect(await archive.database.knex('archive_segments').select('number')).toEqual(noted);
  });

  test('by another process while one archives', async () => {
    await archive.accepted(401);
    const [first, second] = [archive.archiver(), archive.archiver()];
    expect(await first.step()).toBe(true);
    expect(await second.step()).toBe(false);
    expect(await archive.rows()).toMatchObject({ requests: 1 });
  });

  test('from a database that does not know the segments of its archive', async () => {
    await archive.accepted(401);
    await archive.run();
    await archive.accepted(401);
    await archive.database.knex('archive_segments').delete();
    await expect(archive.run()).rejects.toThrow('segment 1 is in the archive');
    expect(await archive.rows()).toMatchObject({ requests: 1 });
  });
});

describe('a store that is not the one that the database knows', () => {
  const storeOf = (name: string) => openArchive(`${archive.url}/${name}`);
  const copy = async (from: ArchiveStore, to: ArchiveStore, wanted = /./) => {
    for (const name of await from.names())
      if (wanted.test(name)) await to.write(name, (await from.read(name)) ?? Buffer.of());
  };
  const other = async () => {
    const stranger = await openTestArchive();
    await stranger.database.knex.raw('update archive set database = gen_random_uuid()');
    await stranger.accepted(401);
    await stranger.run({ store: storeOf('strange') });
    await stranger.close();
  };
  const altered = async (name: string, text: string) => {
    await copy(storeOf('own'), storeOf('strange'));
    await storeOf('strange').write(name, Buffer.from(text));
  };

  test.each<[what: string, make: () => Promise<unknown>, why: string]>([
    ['that is not mounted, or is empty', async () => {}, 'it has no archive.json'],
    ['of another database', other, 'that of another database'],
    [
      'without the last manifest',
      () => copy(storeOf('own'), storeOf('strange'), /^archive/),
      'it has no 00000001.json',
    ],
    ['with another last manifest', () => altered('00000001.json', '{}'), 'its 00000001.json is not the one'],
    ['with a file that says nothing', () => altered('archive.json', 'x'), 'that of another database'],
    [
      'of one worker alone',
      async () => altered('archive.json', `{"database":"${await database()}","archive":"one"}`),
      'its archive.json is of another archive',
    ],
  ])('%s: no row leaves, and the fault says why', async (_what, make, why) => {
    await archive.accepted(402);
    await archive.run({ store: storeOf('own') });
    await make();
    await archive.accepted(401);
    const store = storeOf('strange');
    expect(await faultOfArchive(archive.database.knex, store)).toContain(why);
    // Neither a new segment, nor one that was noted and whose rows are here.
    await expect(archive.run({ store })).rejects.toThrow(why);
    await archive.database.knex.raw(`update archive set held_until = '-infinity'`);
    await archive.archiver({ store: storeOf('own') }).step();
    expect(await archive.database.knex('archive_segments').where({ left_at: null })).toHaveLength(1);
    await expect(archive.run({ store })).rejects.toThrow(why);
    expect(await archive.rows()).toMatchObject({ requests: 1 });
    await archive.run({ store: storeOf('own') });
    expect(await archive.rows()).toEqual({});
    const { faults } = await verifyArchive(storeOf('own'), readSegments(archive.database.knex));
    expect(faults).toEqual([]);
  });

  const database = async () => (await readIdentity(archive.database.knex)).database;
});

describe('a segment that the store lost after it was noted', () => {
  const lose = async () => {
    const { file } = await archive.database.knex('archive_segments').orderBy('number', 'desc').first('file');
    rmSync(new URL(`${archive.url}/${file}`));
  };
  const noted = async () => {
    await archive.database.knex.raw(
      `update archive set next_round_at = '-infinity', held_until = '-infinity'`,
    );
    await archive.archiver().step();
    await archive.database.knex.raw(`update archive set held_until = '-infinity'`);
  };

  test('is written again while all its rows are here', async () => {
    await archive.accepted(402);
    await archive.run();
    await archive.accepted(401);
    await noted();
    await lose();
    await archive.received(403);
    await archive.run();
    expect(await archive.rows()).toEqual({});
    const found = await verifyArchive(archive.store, readSegments(archive.database.knex));
    expect(found).toMatchObject({ segments: 2, faults: [], rows: { requests: 2, inboundMessages: 1 } });
  });

  test('stops the archive once a row may have left, until an operator goes on without it', async () => {
    for (let nth = 0; nth < 8; nth += 1) await archive.accepted(401, { messages: 100 });
    await noted();
    let deleting = false;
    const first = archive.archiver({ isEnding: () => deleting });
    deleting = true;
    await first.step();
    const left = await archive.rows();
    await lose();
    await expect(archive.run()).rejects.toThrow('Rows of it have left the database');
    expect(await archive.rows()).toEqual(left);
    expect(await adoptStore(archive.database.knex, archive.store)).toEqual([1]);
    await archive.run();
    expect(await archive.rows()).toEqual({});
  });
});
