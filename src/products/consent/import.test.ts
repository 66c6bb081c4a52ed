/** Files of opt-outs: every line is read once, even if a process dies, and what is no number is reported. */
import { beforeEach, expect, test } from '@jest/globals';
import { testDatabase } from '../../platform/db/opened-testing.ts';
import { sized } from '../../platform/sized-testing.ts';
import { createPhoneParser } from '../phone/parse.ts';
import {
  findImport,
  findStandstill,
  listImports,
  type NewImport,
  readImports,
  storePart,
} from './import-repository.ts';
import { addOptOuts } from './opt-out-repository.ts';

const given: NewImport = {
  id: 'registry',
  product: 'sms',
  teamId: null,
  serviceId: null,
  target: 'MARKETING',
};
const parsePhone = createPhoneParser('KE');
const add: Parameters<typeof readImports>[0]['add'] = (trx, phones, scope) =>
  addOptOuts(trx, phones, scope, (phone) => `#${phone}`);
const numbers = (first: number, count: number) =>
  Array.from({ length: count }, (_, place) => `+2547${first + place}`);

const database = testDatabase();
beforeEach(async () => {
  const { knex } = database;
  for (const table of ['opt_outs', 'opt_out_import_chunks', 'opt_out_import_parts', 'opt_out_imports'])
    await knex(table).delete();
});

const store = (part: number, text: string, to = given) =>
  database.knex.transaction((trx) => storePart(trx, to, part, text));
const read = () => readImports({ knex: database.knex, parsePhone, add });
async function readAll() {
  while (await read());
}
const shown = async () => (await listImports(database.knex, {}))[0];

test('lines of every kind are read; those without a number are reported by their place, and not kept', async () => {
  const text = '+254711000001\n\n"0711 000 002",Asha\r\nphone\n+254711000003;x\t\n  \n12\n+254711000001';
  await store(1, text);
  expect(await shown()).toMatchObject({ parts: 1, lines: 6, read: 0 });
  await readAll();
  expect(await shown()).toMatchObject({
    lines: 6,
    read: 6,
    added: 3,
    unchanged: 1,
    invalid: 2,
    problems: [
      { part: 1, line: 4 },
      { part: 1, line: 7 },
    ],
  });
  expect(await database.knex('opt_outs').orderBy('phone').pluck('phone')).toEqual([
    '+254711000001',
    '+254711000002',
    '+254711000003',
  ]);
  expect(await database.knex('opt_out_import_chunks')).toEqual([]);
});

test('the same part again changes nothing; another text or another scope is refused', async () => {
  expect(await store(1, '+254711000001')).toBe('stored');
  await readAll();
  expect(await store(1, '+254711000001')).toBe('taken');
  expect(await store(1, '+254711000002')).toBe('other');
  expect(await store(2, '+254711000002', { ...given, target: 'ALL' })).toBe('other');
  await readAll();
  expect(await shown()).toMatchObject({ parts: 1, lines: 1, read: 1, added: 1 });
});

test('a team has names of its own: what another calls the same is another import', async () => {
  const { knex } = database;
  await knex('teams').insert(['acme', 'rival'].map((id) => ({ id, name: id })));
  const teams = ['acme', 'rival', null];
  for (const teamId of teams)
    expect(await store(1, `+25471100000${teamId?.length ?? 0}`, { ...given, teamId })).toBe('stored');
  await readAll();
  const listed = await listImports(knex, { limit: 2 });
  const others = await listImports(knex, { after: listed.at(-1), limit: 2 });
  expect([listed, others].map((page) => page.map(({ teamId, added }) => [teamId, added]))).toEqual([
    [
      [null, 1],
      ['acme', 1],
    ],
    [['rival', 1]],
  ]);
  for (const teamId of teams)
    expect(await findImport(knex, { id: 'registry', teamId })).toMatchObject({ teamId, lines: 1 });
  await knex('opt_outs').delete();
});

test('stand still if lines wait and none of any import is read', async () => {
  const { knex } = database;
  const age = (table: string, column: string, minutes: number) =>
    knex(table).update({ [column]: knex.raw(`service_now() - ? * interval '1 minute'`, [minutes]) });
  const minutes = async () => {
    const found = await findStandstill(knex);
    return found && { ...found, seconds: undefined, minutes: Math.round(found.seconds / 60) };
  };
  expect(await minutes()).toBeUndefined();
  await store(1, numbers(10_000_000, 1_500).join('\n'));
  await store(1, '+254711000001', { ...given, id: 'later' });
  await age('opt_out_import_chunks', 'stored_at', 20);
  expect(await minutes()).toMatchObject({ id: 'registry', teamId: null, lines: 1_501, minutes: 20 });
  await read();
  expect(await minutes()).toMatchObject({ lines: 501, minutes: 0 });
  await age('opt_out_imports', 'read_at', 7);
  expect(await minutes()).toMatchObject({ lines: 501, minutes: 7 });
  await readAll();
  expect(await minutes()).toBeUndefined();
});

test('what several processes read, of which some die in the middle, is read once', async () => {
  const lines = sized(5_000, 1_000_000);
  const perPart = Math.ceil(lines / 20);
  for (let part = 1; part <= 20; part += 1)
    await store(part, numbers(10_000_000 + (part - 1) * perPart, perPart).join('\n'));
  let turn = 0;
  const dying = (phone: string) => {
    turn += 1;
    if (turn % 1_999 === 0) throw new Error('killed');
    return parsePhone(phone);
  };
  const reader = async (parse: typeof parsePhone) => {
    for (let more = true; more; )
      more = await readImports({ knex: database.knex, parsePhone: parse, add }).catch(() => true);
  };
  await Promise.all([reader(dying), reader(parsePhone)]);
  const expected = perPart * 20;
  expect(await shown()).toMatchObject({ lines: expected, read: expected, added: expected, invalid: 0 });
  expect(await database.knex('opt_outs').pluck('id')).toHaveLength(expected);
});
