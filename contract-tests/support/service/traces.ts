/** Finds a phone number in everything that a database holds, however it is written. */
import type { Knex } from 'knex';
import { rowsOf } from './stored-data.ts';

interface Column {
  table: string;
  column: string;
  type: string;
}

/** Every column of every table that can hold a text; views of PostgreSQL's own are not ours. */
const textColumns = `
  select table_name as "table", column_name as "column", data_type as type
  from information_schema.columns join information_schema.tables using (table_schema, table_name)
  where table_schema = current_schema() and table_type = 'BASE TABLE'
    and data_type in ('text', 'character varying', 'json', 'jsonb', 'bytea', 'ARRAY', 'uuid', 'name')
  order by 1, 2`;

/**
 * The columns, as `table.column`, that contain the last nine digits of the number: with a trunk zero, a country code, a
 * plus, spaces or escapes around them, in the bytes of a bytea, or in base64 as networks write it.
 */
export async function tracesOf(knex: Knex, phone: string): Promise<string[]> {
  const digits = phone.slice(-9);
  const found: string[] = [];
  for (const { table, column, type } of await rowsOf<Column>(knex, textColumns)) {
    const text = type === 'bytea' ? `encode("${column}", 'escape')` : `"${column}"::text`;
    const values = await rowsOf<{ value: string }>(
      knex,
      `select ${text} as value from "${table}" where "${column}" is not null`,
    );
    if (values.some(({ value }) => mentions(value, digits))) found.push(`${table}.${column}`);
  }
  return found;
}

export function mentions(text: string, digits: string): boolean {
  const plain = text.replace(/\\u00[0-9a-f]{2}|%[0-9a-f]{2}/gi, ' ').replace(/[\s().-]+/g, '');
  const encoded = [...text.matchAll(/[A-Za-z0-9+/_-]{16,}={0,2}/g)].some(([word]) =>
    [0, 1, 2, 3].some((start) =>
      Buffer.from(word.slice(start), 'base64').toString('latin1').includes(digits),
    ),
  );
  return plain.includes(digits) || encoded;
}
