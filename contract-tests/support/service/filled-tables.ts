/** Gives each empty table of a database a row, made from the catalogue: valid by the table's checks, and due long after any test. */
import type { Knex } from 'knex';

interface Column {
  name: string;
  type: string;
  isNeeded: boolean;
  /** The first of the words that a check allows. */
  word: string | null;
}

const columnsOf = `
  select a.attname as name, format_type(a.atttypid, null) as type,
    a.attnotnull and a.attidentity = '' and (not a.atthasdef or a.atttypid = 'timestamptz'::regtype) as "isNeeded",
    (select (regexp_match(pg_get_constraintdef(c.oid), '= ANY \\(+(ARRAY\\[''|''\\{)(\\w+)'))[2] from pg_constraint c
     where c.conrelid = a.attrelid and c.contype = 'c' and c.conkey = array[a.attnum] limit 1) as word
  from pg_attribute a where a.attrelid = :table::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum`;

/** For texts with other rules: countries, hashes and ids of keys. */
const texts = ['one', 'KE', '0'.repeat(64), '0'.repeat(8)];

const valueFor = ({ type, word }: Column, text: string): string => {
  if (word !== null && type === 'text') return word;
  if (/timestamp|^date$/.test(type)) return '2100-01-01';
  if (/int|numeric|double|real/.test(type)) return '1';
  if (/\[\]$/.test(type)) return '{}';
  if (/json/.test(type)) return '[]';
  if (type === 'boolean') return 'false';
  if (type === 'uuid') return '00000000-0000-4000-8000-000000000000';
  return type === 'bytea' ? '\\x00' : text;
};

async function emptyTables(knex: Knex): Promise<string[]> {
  const tables: string[] = await knex('pg_tables')
    .where('schemaname', 'public')
    .orderBy('tablename')
    .pluck('tablename');
  const empty: string[] = [];
  for (const table of tables) if ((await knex(table).first()) === undefined) empty.push(table);
  return empty;
}

/** Adds a row to each empty table, with triggers and foreign keys off, until none is empty: queues drain meanwhile. */
export async function fillEmptyTables(knex: Knex): Promise<void> {
  for (;;) {
    const empty = await emptyTables(knex);
    if (empty.length === 0) return;
    for (const table of empty) await fill(knex, table);
  }
}

async function fill(knex: Knex, table: string): Promise<void> {
  const { rows: columns } = await knex.raw<{ rows: Column[] }>(columnsOf, { table });
  const needed = columns.filter(({ isNeeded }) => isNeeded);
  const wider = columns.filter(({ isNeeded }) => !isNeeded).map((one) => [...needed, one]);
  let wrong: unknown;
  for (const some of [needed, ...wider])
    for (const text of texts)
      try {
        await insert(knex, table, some, text);
        return;
      } catch (error) {
        wrong ??= error;
      }
  throw new Error(`${table} is empty: no row could be made for it`, { cause: wrong });
}

const insert = (knex: Knex, table: string, columns: readonly Column[], text: string) =>
  knex.transaction(async (trx) => {
    await trx.raw('set local session_replication_role = replica');
    await trx(table).insert(Object.fromEntries(columns.map((one) => [one.name, valueFor(one, text)])));
  });
