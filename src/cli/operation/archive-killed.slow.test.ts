/** A process that archives may die before any statement and any use of a file: nothing is lost, and nothing is archived twice. */
import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findInArchive } from '../../archive/find.ts';
import { readSegment } from '../../archive/read-segment.ts';
import { linesOf } from '../../archive/segment.ts';
import { readSegments } from '../../archive/segment-repository.ts';
import type { ArchiveStore } from '../../archive/store.ts';
import { testArchive } from '../../archive/testing.ts';
import { sealLedgers } from '../../ledger/seal-repository.ts';
import { sized } from '../../platform/sized-testing.ts';
import { createCommandLine } from '../line/testing.ts';

class Killed extends Error {}

/** How many more boundaries the process lives to cross; undefined: what runs is the test. */
let left: number | undefined;

async function cross<Result>(effect: () => Promise<Result>, half?: () => Promise<unknown>): Promise<Result> {
  if (left === undefined) return effect();
  left -= 1;
  if (left === -1) await half?.();
  if (left < 0) throw new Killed();
  return effect();
}

const pg = createRequire(import.meta.url)('pg');
const { query } = pg.Client.prototype;

/** Every statement passes here, on both databases, which undo the transaction of a process that died. */
function statement(this: object, config: { text: string } | string, ...rest: unknown[]): unknown {
  const text = typeof config === 'string' ? config : config.text;
  if (left === undefined || /^rollback/i.test(text)) return query.call(this, config, ...rest);
  const callback = rest.findLast((one) => typeof one === 'function');
  const given = rest.filter((one) => typeof one !== 'function');
  const result = cross(
    () => query.call(this, config, ...given),
    async () => /^commit/i.test(text) && query.call(this, 'rollback'),
  );
  if (callback === undefined) return result;
  result.then(
    (answer) => callback(null, answer),
    (error) => callback(error),
  );
}

const mortal = (store: ArchiveStore): ArchiveStore => ({
  url: store.url,
  read: (name) => cross(() => store.read(name)),
  names: () => cross(() => store.names()),
  write: (name, bytes) =>
    cross(
      () => store.write(name, bytes),
      () => store.write(`.${name}.draft`, bytes.subarray(0, bytes.length / 2)),
    ),
});

const archive = testArchive();
let tarishi: ReturnType<typeof createCommandLine>;
beforeAll(async () => {
  const { database, secrets, url } = archive;
  tarishi = createCommandLine({ database: () => database, secrets, settings: { ARCHIVE_URL: url } });
  await database.knex('accounts').insert({ team_id: 'acme', product: 'sms', variant: 'Safaricom' });
  pg.Client.prototype.query = statement;
});
afterAll(() => {
  pg.Client.prototype.query = query;
});

const messages = 3;

/** Two requests, a message of a phone and a ledger entry. Returns the ids of the first three. */
async function store(): Promise<string[]> {
  const { knex } = archive.database;
  await knex.raw(
    `with credited as (update accounts set balance = balance + 1 returning id)
     insert into ledger_entries (account_id, units, reason, created_at)
     select id, 1, 'Correction', service_now() - interval '401 days' from credited`,
  );
  await sealLedgers(knex, archive.secrets);
  return [
    await archive.accepted(401, { messages }),
    await archive.accepted(401, { messages }),
    await archive.received(401),
  ];
}

/** By id: how many rows the database has, and which segments. */
async function whereabouts(ids: readonly string[]) {
  const { knex } = archive.database;
  const segments = new Map<string, boolean[]>();
  for await (const { manifest, leftAt } of readSegments(knex))
    if (manifest.number > settled)
      for await (const text of linesOf(await readSegment(archive.store, manifest))) {
        const { request, message }: Record<string, { id: string } | undefined> = JSON.parse(text);
        const id = (request ?? message)?.id;
        if (id !== undefined) segments.set(id, [...(segments.get(id) ?? []), leftAt !== null]);
      }
  return Promise.all(
    ids.map(async (id) => {
      const { rows } = await knex.raw<{ rows: [{ count: number }] }>(
        `select (select count(*) from requests where id = :id) + (select count(*) from inbound_messages where id = :id)
           + (select count(*) from messages where request_id = :id)
           + (select count(*) from receipts where request_id = :id or id = :id) as count`,
        { id },
      );
      return { rows: Number(rows[0].count), segments: segments.get(id) ?? [] };
    }),
  );
}

/** Segments up to this one were looked at. */
let settled = 0;
const whole = [1 + 2 * messages, 1 + 2 * messages, 2];

test('before any of them: all is in the database, or in one segment, and verifies', async () => {
  const archived: string[] = [];
  const every = sized(5, 1);
  let unfinished = 0;
  for (let boundary = 0, died = true; died; boundary += every) {
    const ids = await store();
    left = boundary;
    await archive.run({ store: mortal(archive.store) }).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
    });
    died = left < 0;
    left = undefined;
    for (const [index, { rows, segments }] of (await whereabouts(ids)).entries()) {
      // Whole in the database, not archived; or in one segment, and whole or gone.
      expect(segments.length).toBeLessThanOrEqual(1);
      if (segments[0] !== false) expect(rows).toBe(segments.length === 0 ? whole[index] : 0);
      else {
        unfinished += 1;
        expect([0, whole[index]]).toContain(rows);
      }
    }
    expect(await tarishi('archive verify')).toMatchObject({ messages: expect.any(Number) });
    expect(await tarishi('statement verify --archive')).toMatchObject([{ problem: null }]);

    await archive.run();
    expect(await whereabouts(ids)).toEqual(ids.map(() => ({ rows: 0, segments: [true] })));
    expect(await tarishi('statement verify --archive')).toMatchObject([{ problem: null }]);
    settled = Number((await archive.database.knex('archive_segments').max('number as last'))[0]?.last);
    archived.push(...ids);
  }
  expect(unfinished).toBeGreaterThan(0);
  expect(archived.length).toBeGreaterThan((3 * 30) / every);
  expect(await archive.rows()).toEqual({});
  const found = [];
  for await (const _line of findInArchive(archive.store, { team: 'acme' })) found.push(_line);
  expect(found).toHaveLength(archived.length);
}, 300_000);
