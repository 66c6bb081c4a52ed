/** Counts what a request waits for here towards its patience: from asking for a connection until it is given back. */
import type { Knex } from 'knex';
import { beginWait, type End, noteAnswer } from '../concurrency/patience.ts';
import { saysDatabaseIsAway } from '../errors/database-away.ts';

/** What Knex's types do not know of its client. */
interface KnexClient {
  acquireConnection: () => Promise<object>;
  releaseConnection: (connection: object) => Promise<void>;
}

export function watchWaits(knex: Knex): void {
  const client = knex.client as KnexClient;
  const ends = new WeakMap<object, End>();
  const acquire = client.acquireConnection.bind(client);
  const release = client.releaseConnection.bind(client);
  const failed = (error: unknown) => noteAnswer(saysDatabaseIsAway(error));

  client.acquireConnection = async () => {
    const end = beginWait();
    try {
      const connection = await acquire();
      ends.set(connection, end);
      return connection;
    } catch (error) {
      failed(error);
      end();
      throw error;
    }
  };
  client.releaseConnection = (connection) => {
    ends.get(connection)?.();
    ends.delete(connection);
    return release(connection);
  };
  knex.on('query-response', () => noteAnswer(false));
  knex.on('query-error', failed);
}
