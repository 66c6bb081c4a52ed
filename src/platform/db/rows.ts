/** The rows of a table as objects: each property is named once, with its type, its column and who sets it. */
import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import { own } from '../text/own.ts';

/** How a property is stored: by default in the column of its name in snake case. */
interface Storage<T> {
  column?: string;
  /** SQL that computes it from the row; nothing writes it. */
  computed?: string;
  /** SQL of its value in a new row. */
  onInsert?: string;
  /** SQL of its new value whenever anything else of the row changes. */
  onChange?: string;
  /** From and to a column that holds it in another form. */
  read?: (stored: never) => T;
  write?: (value: T) => unknown;
}

interface Initial<T> {
  /** What a new row has if nothing is given; a function gets the key. */
  initially: T | ((key: string) => T);
}

declare const typeOf: unique symbol;

export interface Property<T, Given extends 'always' | 'maybe' | 'never', Changes extends boolean> {
  [typeOf]?: T;
  given: Given;
  changes: Changes;
  initially?: unknown;
  storage: Storage<T>;
}

// biome-ignore lint/suspicious/noExplicitAny: a table has properties of any type.
export type Properties = Readonly<Record<string, Property<any, 'always' | 'maybe' | 'never', boolean>>>;

/** Given when the row is made, and never changed. */
export function fixed<T>(storage: Storage<T> & Initial<T>): Property<T, 'maybe', false>;
export function fixed<T>(storage?: Storage<T>): Property<T, 'always', false>;
export function fixed<T>(options: Storage<T> & Partial<Initial<T>> = {}) {
  return property(options, false);
}

/** Given when the row is made, and in changes. */
export function changeable<T>(storage: Storage<T> & Initial<T>): Property<T, 'maybe', true>;
export function changeable<T>(storage?: Storage<T>): Property<T, 'always', true>;
export function changeable<T>(options: Storage<T> & Partial<Initial<T>> = {}) {
  return property(options, true);
}

/** Set by the database or by functions with names, never as part of a change. */
export function kept<T>(storage: Storage<T> = {}): Property<T, 'never', false> {
  return { given: 'never', changes: false, storage };
}

function property<T, Changes extends boolean>(
  { initially, ...storage }: Storage<T> & Partial<Initial<T>>,
  changes: Changes,
): Property<T, never, Changes> {
  const given = initially === undefined ? 'always' : 'maybe';
  return { given: given as never, changes, initially, storage };
}

type TypeOf<One> = One extends Property<infer T, infer _Given, infer _Changes> ? T : never;
type Names<P extends Properties, Rule> = { [Name in keyof P]: P[Name] extends Rule ? Name : never }[keyof P];
type Any = 'always' | 'maybe' | 'never';
// biome-ignore lint/suspicious/noExplicitAny: of any type.
type Which<Given extends Any, Changes extends boolean> = Property<any, Given, Changes>;

/** A stored row. */
export type Row<P extends Properties> = { [Name in keyof P]: TypeOf<P[Name]> };
/** What makes a row. */
export type New<P extends Properties> = {
  [Name in Names<P, Which<'always', boolean>>]: TypeOf<P[Name]>;
} & { [Name in Names<P, Which<'maybe', boolean>>]?: TypeOf<P[Name]> | undefined };
/** What changes a row; what is undefined stays. */
export type Change<P extends Properties> = {
  [Name in Names<P, Which<Any, true>>]?: TypeOf<P[Name]> | undefined;
};
/** All that callers give of a row, once it is complete. */
export type Given<P extends Properties> = {
  [Name in Names<P, Which<'always' | 'maybe', boolean>>]: TypeOf<P[Name]>;
};

export interface Selection<P extends Properties> {
  where?: { readonly [Name in keyof P]?: TypeOf<P[Name]> | undefined } | undefined;
  /** Rows in which this is null are selected whatever is wanted of it. */
  orNull?: (keyof P & string) | undefined;
  /** Begin after this key. */
  after?: string | undefined;
  limit?: number | undefined;
}

export interface Rows<P extends Properties> {
  find: (knex: Knex, key: string) => Promise<Row<P> | undefined>;
  /** In the order of `order`, by default of the key. */
  list: (knex: Knex, selection?: Selection<P>) => Promise<Row<P>[]>;
  /** The values of a new row with what is not given. */
  completed: (given: New<P>) => Given<P>;
  /** False when the key is taken. */
  insert: (knex: Knex, row: Partial<Row<P>>) => Promise<boolean>;
  /** Writes what differs; false if nothing does. */
  update: (knex: Knex, before: Row<P>, change: Partial<Row<P>>) => Promise<boolean>;
}

export function rowsOf<P extends Properties>(
  table: string,
  key: keyof P & string,
  properties: P,
  order: readonly string[] = [key],
): Rows<P> {
  const stored = Object.entries(properties).map(([name, { storage }]) => {
    const column = storage.column ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return { name, storage, column, sql: storage.computed ?? `${table}.${column}` };
  });
  const selectFrom = (knex: Knex) =>
    knex(table).select(stored.map(({ name, sql }) => knex.raw(`${sql} as ??`, [name])));
  const rowOf = (values: Record<string, unknown>): Row<P> => {
    for (const { name, storage } of stored)
      if (storage.read !== undefined) values[name] = storage.read(own(values, name) as never);
    return values as Row<P>;
  };
  /** Undefined values stay out. */
  const columnsOf = (row: Partial<Row<P>>) =>
    Object.fromEntries(
      stored
        .filter(({ name, storage }) => own(row, name) !== undefined && storage.computed === undefined)
        .map(({ name, storage, column }) => [
          column,
          storable(storage.write === undefined ? own(row, name) : storage.write(own(row, name))),
        ]),
    );
  const raw = (knex: Knex, when: 'onInsert' | 'onChange') =>
    Object.fromEntries(
      stored.flatMap(({ storage: { [when]: sql }, column }) =>
        sql === undefined ? [] : [[column, knex.raw(sql)]],
      ),
    );

  return {
    async find(knex, id) {
      const row = await selectFrom(knex).where(key, id).first();
      return row && rowOf(row);
    },
    async list(knex, { where, orNull, after, limit } = {}) {
      const query = selectFrom(knex).orderBy([...order]);
      const wanted: Record<string, unknown> = where ?? {};
      for (const { name, sql } of stored)
        if (own(wanted, name) !== undefined)
          query.whereRaw(name === orNull ? `(${sql} = ? or ${sql} is null)` : `${sql} = ?`, [
            own(wanted, name) as string,
          ]);
      if (after !== undefined) query.where(key, '>', after);
      if (limit !== undefined) query.limit(limit);
      return (await query).map(rowOf);
    },
    completed(given) {
      const values: Record<string, unknown> = given;
      const filled = Object.entries(properties).flatMap(([name, { given: when, initially }]) => {
        if (when === 'never') return [];
        const initial = typeof initially === 'function' ? initially(values[key]) : initially;
        const value = own(values, name);
        return [[name, value === undefined ? initial : value]];
      });
      return Object.fromEntries(filled);
    },
    insert: (knex, row) => insertNew(knex, table, { ...raw(knex, 'onInsert'), ...columnsOf(row) }, key),
    async update(knex, before, change) {
      const changed = Object.entries(change).filter(
        ([name, value]) =>
          value !== undefined && !isDeepStrictEqual(value, own(before as Record<string, unknown>, name)),
      );
      if (changed.length === 0) return false;
      const columns = columnsOf(Object.fromEntries(changed) as Partial<Row<P>>);
      await knex(table)
        .where(key, before[key])
        .update({ ...columns, ...raw(knex, 'onChange') });
      return true;
    },
  };
}

/** node-postgres would write a bare array as a PostgreSQL array, not as JSON. */
function storable(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !(value instanceof Date)
    ? JSON.stringify(value)
    : value;
}

/** False, with nothing changed, when the table has a row with this key. */
async function insertNew(
  knex: Knex,
  table: string,
  row: Readonly<Record<string, unknown>>,
  key = 'id',
): Promise<boolean> {
  const inserted = await knex(table).insert(row).onConflict(key).ignore().returning(key);
  return inserted.length > 0;
}
