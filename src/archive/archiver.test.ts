/** Old rows leave for the archive whole and once, whatever happens in between, and nothing else does. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { linesOf, manifestIn, manifestName } from './segment.ts';
import { type Archive, openTestArchive } from './testing.ts';

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

describe('a process that dies', () => {
  const die = () => archive.database.knex.raw(`update archive set held_until = '-infinity'`);
  const segments = () => archive.database.knex('archive_segments').select('number', 'left_at');

  test('before its segment is noted leaves everything to the next one, which writes it again', async () => {
    await archive.accepted(401);
    const failing = { ...archive.store, write: async () => Promise.reject(new TypeError('full')) };
    await expect(archive.archiver({ store: failing }).step()).rejects.toThrow('full');
    await die();
    expect(await segments()).toEqual([]);
    await archive.run();
    expect(await archive.rows()).toEqual({});
    expect((await read(1)).lines).toHaveLength(1);
  });

  test('between writing and deleting leaves the segment to the next one, which deletes what it holds', async () => {
    await archive.accepted(401);
    const first = archive.archiver();
    expect(await first.step()).toBe(true);
    await die();
    expect([await segments(), await archive.rows()]).toMatchObject([[{ left_at: null }], { requests: 1 }]);
    await archive.run();
    expect([await segments(), await archive.rows()]).toMatchObject([[{ number: '1' }], {}]);
  });

  test('while it deletes: the rest goes, and nothing is archived twice', async () => {
    for (let nth = 0; nth < 8; nth += 1) await archive.accepted(401, { messages: 100 });
    let deleting = false;
    const first = archive.archiver({ isEnding: () => deleting });
    await first.step();
    deleting = true;
    expect(await first.step()).toBe(false);
    await die();
    const left = Number((await archive.rows()).requests);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(8);
    await archive.run();
    expect(await archive.rows()).toEqual({});
    expect((await read(1)).lines).toHaveLength(8);
    expect(await segments()).toHaveLength(1);
  });

  test('a row that changed meanwhile stays, and leaves with the next segment as it is then', async () => {
    const [changed] = [await archive.accepted(401), await archive.accepted(401)];
    const first = archive.archiver();
    expect(await first.step()).toBe(true);
    await die();
    await archive.database.knex('messages').where({ request_id: changed }).update({ state: 'Read' });
    await archive.run();
    expect((await read(1)).lines).toHaveLength(2);
    expect((await read(2)).lines).toMatchObject([
      { request: { id: changed }, messages: [{ state: 'Read' }] },
    ]);
    expect(await archive.rows()).toEqual({});
  });
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

  test('when the directory is the archive of another database, or has segments that this one does not know', async () => {
    await archive.accepted(401);
    await archive.run();
    await archive.accepted(401);
    await archive.database.knex('archive_segments').delete();
    await expect(archive.run()).rejects.toThrow('segment 1 is in the archive');
    await archive.database
      .knex('archive')
      .update({ database: archive.database.knex.raw('gen_random_uuid()') });
    await expect(archive.run()).rejects.toThrow('is that of another database');
    expect(await archive.rows()).toMatchObject({ requests: 1 });
  });
});
