/** Runs one statement directly on node-postgres, for paths where the overhead of Knex matters. */
import type { Knex } from 'knex';

export interface Statement {
  /**
   * Names the prepared statement: one text per name. Absent: it is planned anew each time, as it must be if the best plan
   * depends on the size of a table that grows.
   */
  name?: string;
  /** With `$1`, `$2`, … */
  text: string;
  values: readonly unknown[];
}

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
        : { ...unnamed, name: `${name} ${numberOf(connection)}` },
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

/** Connections of the embedded database share a session, and with it the names of statements. */
const numbers = new WeakMap<Connection, number>();
let connections = 0;

function numberOf(connection: Connection): number {
  const known = numbers.get(connection);
  if (known !== undefined) return known;
  connections += 1;
  numbers.set(connection, connections);
  return connections;
}
