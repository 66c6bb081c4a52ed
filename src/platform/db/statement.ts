/** Runs one statement directly on node-postgres, for paths where the overhead of Knex matters. */
import type { Knex } from 'knex';

export interface Statement {
  /**
   * Names the prepared statement: one text per name. Its plan is kept, so it must look things up by their keys whatever
   * the sizes of the tables are (see `ofFew`). Absent: it is planned anew each time.
   */
  name?: string;
  /** With `$1`, `$2`, … */
  text: string;
  values: readonly unknown[];
}

/**
 * SQL, true of a text that is not null. The planner takes it for true of few rows, and looks up what they name row by row: a
 * plan that is kept may be of a time when the table was small, and would read all of it for ever.
 */
export const ofFew = (text: string): string => `coalesce(${text}, '') = ${text}`;

interface Connection {
  query: (statement: Statement) => Promise<{ rows: unknown[] }>;
}

/**
 * On a connection of the pool: a transaction of its own. On a Knex transaction: part of it. The server keeps
 * the plan, by connection and name.
 */
export async function runStatement<Row>(knex: Knex, statement: Statement): Promise<Row[]> {
  const connection: Connection = await knex.client.acquireConnection();
  try {
    const { name, ...unnamed } = statement;
    const { rows } = await connection.query(
      name === undefined || nameless.has(connection)
        ? unnamed
        : { ...unnamed, name: nameOn(connection, name) },
    );
    return rows as Row[];
  } catch (error) {
    // As Knex does, for those who monitor the database.
    knex.client.emit('query-error', error);
    throw error;
  } finally {
    await knex.client.releaseConnection(connection);
  }
}

const nameless = new WeakSet<object>();

/** Behind a pooler that gives each transaction another session, a name would be of another connection's statement. */
export function neverNameStatements(connection: object): void {
  nameless.add(connection);
}

interface Names {
  number: number;
  uses: Map<string, number>;
}

const named = new WeakMap<Connection, Names>();
let connections = 0;

/** Once: a plan of when a table was hardly larger than a page reads such a table as a whole. Each plan takes up to 500 KB. */
const plannedAgainAfter = 100;

/** Connections of the embedded database share a session, and with it the names of statements. */
function nameOn(connection: Connection, name: string): string {
  let own = named.get(connection);
  if (own === undefined) {
    connections += 1;
    own = { number: connections, uses: new Map() };
    named.set(connection, own);
  }
  const used = own.uses.get(name) ?? 0;
  own.uses.set(name, used + 1);
  return `${name} ${own.number}${used < plannedAgainAfter ? '' : ' again'}`;
}
