/** Knex's client for PostgreSQL, which notes how long requests wait for the database, and whether it is away. */
import { createRequire } from 'node:module';
import type { Knex } from 'knex';
import { beginWait, type End, noteAnswer } from '../concurrency/patience.ts';
import { saysDatabaseIsAway } from '../errors/database-away.ts';
import type { Outages } from './outage.ts';

/** Knex documents that its dialects may be extended; its types do not have them. */
const Postgres: typeof Knex.Client = createRequire(import.meta.url)('knex/lib/dialects/postgres');

/** The class that Knex makes it of. A request's patience counts from asking for a connection until it is given back. */
export function watchedClient(outages: Outages) {
  const ends = new WeakMap<object, End>();
  return class extends Postgres {
    constructor(config: Knex.Config) {
      super(config);
      this.on('query-response', () => {
        outages.answered();
        noteAnswer(false);
      });
      this.on('query-error', heardOf);
    }

    override async acquireConnection(): Promise<object> {
      const end = beginWait();
      try {
        const connection = await super.acquireConnection();
        ends.set(connection, end);
        return connection;
      } catch (error) {
        heardOf(error);
        end();
        throw error;
      }
    }

    override releaseConnection(connection: object): Promise<void> {
      ends.get(connection)?.();
      ends.delete(connection);
      return super.releaseConnection(connection);
    }
  };

  function heardOf(error: unknown): void {
    outages.failed(error);
    noteAnswer(saysDatabaseIsAway(error));
  }
}
