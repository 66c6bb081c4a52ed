/** Rows are read as they were written, and only what differs is written. */
import { beforeEach, expect, test } from '@jest/globals';
import { testDatabase } from './opened-testing.ts';
import { changeable, fixed, kept, rowsOf } from './rows.ts';

const database = testDatabase((knex) =>
  knex.raw(
    `create table parcels (id text primary key, note text, tags jsonb not null, sent_at timestamptz,
       place integer not null, version integer not null default 1)`,
  ),
);
beforeEach(() => database.knex('parcels').delete());

const parcels = rowsOf('parcels', 'id', {
  id: fixed<string>(),
  note: changeable<string | null>({ initially: null }),
  tags: changeable<readonly string[]>({ initially: (id) => [id] }),
  sentAtMs: kept<number | null>({
    column: 'sent_at',
    read: (at: Date | null) => (at === null ? null : at.getTime()),
    write: (ms) => (ms === null ? null : new Date(ms)),
  }),
  tagCount: kept<number>({ computed: 'jsonb_array_length(tags)' }),
  place: kept<number>({ onInsert: '(select count(*) from parcels)' }),
  version: kept<number>({ onChange: 'version + 1' }),
});

async function add(id: string, note?: string) {
  const given = parcels.completed({ id, note });
  expect(await parcels.insert(database.knex, { ...given, sentAtMs: 1_700_000_000_123 })).toBe(true);
  const row = await parcels.find(database.knex, id);
  if (row === undefined) throw new Error(`${id} was inserted, but not found`);
  return row;
}

test('a row has what was given, what it has initially, and what the database computes', async () => {
  expect(await add('first')).toEqual({
    id: 'first',
    note: null,
    tags: ['first'],
    sentAtMs: 1_700_000_000_123,
    tagCount: 1,
    place: 0,
    version: 1,
  });
  expect(await add('second', 'fragile')).toMatchObject({ note: 'fragile', place: 1 });
});

test('a key can be used once, and an unknown one finds nothing', async () => {
  await add('first');
  expect(await parcels.insert(database.knex, parcels.completed({ id: 'first' }))).toBe(false);
  expect(await parcels.find(database.knex, "' or true --")).toBeUndefined();
});

test('a change writes what differs, and only then what follows from a change', async () => {
  const before = await add('first', 'fragile');
  const same = { note: 'fragile', tags: ['first'] };
  expect(await parcels.update(database.knex, before, same)).toBe(false);
  expect(await parcels.find(database.knex, 'first')).toEqual(before);
  expect(await parcels.update(database.knex, before, { note: null, tags: ['a', 'b'] })).toBe(true);
  const after = { ...before, note: null, tags: ['a', 'b'], tagCount: 2, version: 2 };
  expect(await parcels.find(database.knex, 'first')).toEqual(after);
});

test('lists are in the order of the key, by any property, and in parts', async () => {
  for (const id of ['c', 'a', 'b']) await add(id, id === 'a' ? 'fragile' : 'heavy');
  const ids = async (...[part]: Parameters<typeof parcels.list> extends [unknown, ...infer R] ? R : never) =>
    (await parcels.list(database.knex, part)).map(({ id }) => id);
  expect(await ids()).toEqual(['a', 'b', 'c']);
  expect(await ids({ where: { note: 'heavy' } })).toEqual(['b', 'c']);
  expect(await ids({ where: { tagCount: 1 }, after: 'a', limit: 1 })).toEqual(['b']);
});
