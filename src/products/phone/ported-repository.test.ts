/** A table of ported numbers is in use as a whole or not at all, whatever order its parts come in and whatever dies. */
import { beforeEach, expect, test } from '@jest/globals';
import { testDatabase } from '../../platform/db/opened-testing.ts';
import { clearTables } from '../../platform/db/testing.ts';
import { channelOf } from './ported.ts';
import {
  listPorted,
  listPortedImports,
  loadPorted,
  noTable,
  portedChannels,
  readPortedImports,
  storePortedPart,
} from './ported-repository.ts';
import { parsePhone } from './testing.ts';

const database = testDatabase();
beforeEach(async () => {
  await clearTables(database.knex, 'ported_imports, ported_import_parts, ported_numbers, channels');
  await database.knex('channels').insert([
    { name: 'Safaricom', prefixes: '["25471"]', connector: 'simulator', position: 0 },
    { name: 'Airtel', prefixes: '["25473"]', connector: 'simulator', position: 1 },
  ]);
});

const header = 'number,network';
const store = (id: string, part: number, parts: number, lines: string) =>
  database.knex.transaction((trx) =>
    storePortedPart(
      trx,
      { id, numberColumn: 'number', channelColumn: 'network', codes: { '63902': 'Safaricom' }, parts },
      { part, lines: part === 1 ? `${header}\n${lines}` : lines, header: part === 1 ? header : undefined },
    ),
  );
const readAll = async () => {
  while (await readPortedImports({ knex: database.knex, parsePhone }));
};
const used = async () => {
  const found = await listPorted(database.knex, { after: undefined, limit: 100 });
  return found.map(({ phone, channel }) => `${phone} ${channel}`);
};

test('parts come in any order and twice; the last line of a number counts, and what is invalid is told', async () => {
  expect(await store('a', 2, 2, '0711,Airtel\n0712,Mars\n')).toBe('stored');
  await readAll();
  expect(await store('a', 1, 2, '0711,63902\nnone,Airtel\n\n0733,63902\n')).toBe('stored');
  expect(await store('a', 1, 2, '0711,63902\nnone,Airtel\n\n0733,63902\n')).toBe('taken');
  expect(await store('a', 1, 2, '0711,Airtel\n')).toBe('other');
  expect(await store('a', 1, 3, '0711,Airtel\n')).toBe('other');
  expect(await used()).toEqual([]);
  await readAll();
  expect(await used()).toEqual(['+254711 Airtel', '+254733 Safaricom']);
  expect(await listPortedImports(database.knex)).toMatchObject([
    {
      ...{ id: 'a', parts: 2, received: 2, lines: 5, read: 5, invalid: 2, numbers: 2 },
      problems: expect.arrayContaining([
        { part: 1, line: 3 },
        { part: 2, line: 2 },
      ]),
    },
  ]);
  expect(await portedChannels(database.knex, ['+254711', '+254712', '+254733'])).toEqual(
    new Map([
      ['+254711', 'Airtel'],
      ['+254733', 'Safaricom'],
    ]),
  );
});

test('a new table replaces the one before as a whole, an empty one too; an older one that ends later does not', async () => {
  await store('first', 1, 1, '0711,Airtel\n0733,Safaricom\n');
  await readAll();
  const before = (await loadPorted(database.knex, noTable)) ?? noTable;
  expect(await loadPorted(database.knex, before)).toBe(before);
  await store('slow', 1, 2, '0711,Safaricom\n');
  await store('second', 1, 1, '0722,Airtel\n');
  await readAll();
  expect(await used()).toEqual(['+254722 Airtel']);
  const after = await loadPorted(database.knex, before);
  expect([after && channelOf(after, '+254722'), after && channelOf(after, '+254711')]).toEqual([
    1,
    undefined,
  ]);
  expect((await listPortedImports(database.knex)).map(({ id }) => id)).toEqual(['second']);
  await store('none', 1, 1, '');
  await readAll();
  expect(await used()).toEqual([]);
  expect((await loadPorted(database.knex, noTable))?.channels).toHaveLength(0);
});

test('pages of an export follow each other across rows', async () => {
  const lines = Array.from({ length: 10_000 }, (_, place) => `0711${place},Airtel`).join('\n');
  await store('many', 1, 1, lines);
  await readAll();
  const phones: string[] = [];
  for (let page = 0; page < 3; page += 1)
    phones.push(
      ...(await listPorted(database.knex, { after: phones.at(-1), limit: 4_000 })).map(({ phone }) => phone),
    );
  expect(new Set(phones).size).toBe(10_000);
  expect(phones).toEqual(phones.toSorted((a, b) => Number(a) - Number(b)));
});
